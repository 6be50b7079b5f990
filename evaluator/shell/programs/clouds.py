"""Clouds: their commands are nouns and a verb, or a short path of words. Only the verb's place says what it means."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows

GCLOUD_VALUED = (
    "--project --region --zone --format --filter --limit --sort-by --page-size --location --global-policy "
    "--regions --zones --freshness --order --service --instance --cluster --database --secret --namespace "
    "--uri-prefix --billing-account --organization --folder --keyring --key --keyset --log-filter --tag --version "
    "--repository --topic --verbosity --configuration --include-tags --occurrence-filter --gen2-region --revision "
    "--min-log-level --execution-id --start-time --end-time --platform --backend-service --network --router --sort "
    "--network-tier --view"
)
GCLOUD = row(
    "cloud",
    flags="--quiet -q --global --uri --enabled --available --show-deleted --include-email --show-tags --all --gen2 "
    "--stream --include-tags --flatten -r -R --recursive -l --long -L --full --readable-sizes -s --summarize -c "
    "--all-versions -a --log-http=false",
    valued=GCLOUD_VALUED,
    outputs="--out-file",
)
GCLOUD_GROUPS = (
    "alpha beta compute instances disks images snapshots networks subnets firewall-rules addresses machine-types "
    "regions zones instance-groups instance-templates managed unmanaged backend-services forwarding-rules "
    "target-pools url-maps health-checks routers ssl-certificates container clusters node-pools operations "
    "functions services revisions jobs executions projects iam service-accounts roles keys workload-identity-pools "
    "providers pubsub topics subscriptions schemas sql databases backups users tiers builds triggers secrets "
    "versions logging logs sinks metrics buckets artifacts repositories docker packages tags dns managed-zones "
    "record-sets redis memcache dataproc dataflow scheduler tasks queues firestore indexes composite spanner "
    "bigtable kms keyrings monitoring dashboards policies channels organizations resource-manager folders config "
    "configurations auth application-default billing accounts app deploy-history eventarc endpoints components "
    "source repos filestore ai models vpc-access connectors storage security-policies workflows api-gateway "
    "gateways apis api-configs deploy-targets releases asset"
)
GCLOUD_VERBS: dict[str, Handler] = {
    **rows(
        "list describe get-value read tail get-iam-policy get-server-config list-tags get-health info version",
        GCLOUD,
    ),
    **rows(
        "print-access-token print-identity-token get-ancestors-iam-policy get-nat-mapping-info cheat-sheet",
        GCLOUD,
    ),
    **rows("get-serial-port-output list-grantable-roles list-instances get-status ls cat du hash", GCLOUD),
}
GCLOUD_PATHS = rows(
    "config get, secrets versions access, builds log, builds get-default-service-account,", GCLOUD
)
AZ = row(
    "cloud",
    flags="--only-show-errors --all -d --show-details --include-extended-details --include-inherited --refresh "
    "--verbose",
    valued="-g --resource-group -n --name -o --output --query --subscription -l --location --ids --namespace-name "
    "--vault-name --account-name --server --server-name -s --top --assignee --scope --cluster-name --repository "
    "--resource-type --tag --workspace -w --analytics-query --timespan -t --resource --metric --start-time "
    "--end-time --interval --aggregation --auth-mode --container-name -c --prefix --num-results --organization "
    "--org --project -p --zone-name -z --type --filter --display-name --id --version --status --slot --nsg-name "
    "--vnet-name --vm-name --registry -r",
)
AZ_GROUPS = (
    "account group vm vmss disk snapshot image network vnet subnet nsg rule public-ip nic lb application-gateway "
    "dns zone record-set private-endpoint private-dns storage blob container share table queue aks nodepool acr "
    "repository webapp functionapp appservice plan config appsettings connection-string deployment slot source "
    "logs operation sub keyvault secret key certificate sql server db postgres flexible-server mysql cosmosdb "
    "redis monitor metrics alert activity-log log-analytics workspace app-insights component ad user sp app role "
    "assignment definition policy resource provider tag lock identity containerapp revision env servicebus "
    "namespace topic subscription eventhub eventgrid devops boards pipelines repos pr runs release project team "
    "extension feature cloud bicep staticwebapp signed-in-user firewall-rule parameter database role "
    "management-group cdn frontdoor iot hub batch backup vault security task advisor recommendation consumption "
    "usage budget cognitiveservices signalr search synapse datafactory"
)
AZ_VERBS: dict[str, Handler] = {
    **rows(
        "list show list-locations list-sizes list-skus list-usage list-ip-addresses list-runtimes list-keys-names",
        AZ,
    ),
    **rows(
        "exists show-tags show-manifests list-available list-definitions get-instance-view get-upgrades", AZ
    ),
    **rows(
        "get-access-token list-versions get-versions show-connection-string-name version check-health", AZ
    ),
}
DOCTL = row("cloud", flags="--no-header", valued="--format -o --output --region --tag-name --context")
DOCTL_GROUPS = (
    "account compute droplet image domain records firewall load-balancer volume snapshot ssh-key size region "
    "kubernetes cluster node-pool databases db pool user apps registry repository projects monitoring alert vpcs "
    "serverless functions"
)
DOCTL_VERBS = rows(
    "list get list-tags list-manifests list-deployments get-deployment list-v2 neighbors", DOCTL
)

RCLONE = row(
    "cloud",
    flags="-R --recursive --files-only --dirs-only -v -q --human-readable --fast-list --csv --absolute --hash -M "
    "--metadata --size-only --checksum --one-way --json --full --long --all --no-modtime --no-mimetype -d -s -p",
    valued="--max-depth --include --exclude --format -F --min-size --max-size --min-age --max-age --separator "
    "--head --tail --offset --count --level -f --filter",
)
RCLONE_ACTS = "-v -q -P --progress --checksum -c --update -u --fast-list --create-empty-src-dirs --size-only "
"--ignore-existing --stats-one-line"
RCLONE_GIVEN = "--transfers --checkers --include --exclude --max-depth --bwlimit --filter --exclude-from "
"--include-from --min-age --max-age --stats"
RCLONE_READS = rows(
    "ls, lsl, lsd, lsf, lsjson, size, about, cat, version, listremotes, tree, md5sum, sha1sum, check,", RCLONE
)
RCLONE_COPIED = row("cloud", does="network", flags=RCLONE_ACTS, valued=RCLONE_GIVEN)
RCLONE_REMOVED = row("cloud", does="delete", flags=RCLONE_ACTS, valued=RCLONE_GIVEN)
GSUTIL = row("cloud", flags="-l -L -r -R -a -b -h -s -c -e -d -p -m", valued="-o", helps=False)
CLOUD_CHANGES = (
    "create update deploy set add set-iam-policy add-iam-policy-binding enable disable start stop restart reboot "
    "resize submit publish cp mv rsync upload get-credentials login logout apply patch import assign run scale "
    "promote rollback set-service-account add-tags activate deallocate invoke restore upgrade attach detach build"
)
CLOUD_DELETES = "delete remove purge destroy rm rb cancel revoke remove-iam-policy-binding delete-batch"
AWS_FLAGS = (
    "--no-cli-pager --no-paginate --no-sign-request --no-include-email --include-deleted --with-decryption "
    "--consistent-read --all --follow --recursive --human-readable --summarize --no-cli-auto-prompt --recursive "
    "--dryrun --dry-run --no-guess-mime-type --detailed --decrypt --include-shadow-trails --all-availability-zones "
    "--all-regions --no-consistent-read --only-attached --no-scan-index-forward --scan-index-forward "
    "--no-with-decryption --delete --quiet --only-show-errors --no-progress --exact-timestamps --size-only --force "
    "--include-closed --no-include-all --include-all-instances --no-dry-run --include-public --no-human-readable "
    "--start-from-head --no-start-from-head --unmask"
)
"""aws: options that take no value, whatever the operation."""
AWS_LISTS = (
    "--instance-ids --filters --filter --group-ids --group-names --subnet-ids --vpc-ids --volume-ids "
    "--snapshot-ids --image-ids --owners --names --dimensions --statistics --extended-statistics --services "
    "--tasks --clusters --include --attribute-names --metric-data-queries --load-balancer-arns --target-group-arns "
    "--listener-arns --rule-arns --alarm-names --db-instance-identifiers --stack-status-filter --log-stream-names "
    "--key-names --repository-names --region-names --zone-names --instance-types --allocation-ids "
    "--network-interface-ids --route-table-ids --internet-gateway-ids --nat-gateway-ids --launch-template-names "
    "--auto-scaling-group-names --ids --group-by --metrics --pipeline-names --certificate-statuses "
    "--container-instances --resource-ids --executable-users --policy-names --message-attribute-names "
    "--expression-attribute-names --expression-attribute-values --user-ids --table-names --environment-names "
    "--application-names --image-ids --attributes-to-get --action-names --resource-arns "
    "--spot-instance-request-ids --reserved-instances-ids --prefix-list-ids --build-ids --project-names --spaces "
    "--versions"
)
"""aws: options that take several values; behind any other a second word is a file that is written."""
AWS_NOT = (
    "--endpoint-url --cli-input-json --cli-input-yaml --ca-bundle --no-verify-ssl --debug --cli-auto-prompt "
)
"--profile-file"
"""aws: options that send the request elsewhere or take it from a file."""
AWS_GETS = (
    "sts iam ssm secretsmanager logs cloudwatch cloudformation ecr ecr-public route53 kms ce sqs sns organizations "
    "codepipeline glue athena wafv2 cognito-idp stepfunctions ec2 acm events lambda elbv2 resourcegroupstaggingapi "
    "xray configservice guardduty budgets service-quotas application-autoscaling batch amplify apigatewayv2 "
    "scheduler backup cloudfront account sso-admin identitystore inspector2 securityhub health pricing codedeploy "
    "codecommit redshift dax eks ecs rds autoscaling lightsail compute-optimizer"
)
"""aws: services none of whose `get-*` writes a file here."""
AWS_READS = {
    "dynamodb": "get-item batch-get-item query scan",
    "logs": "filter-log-events tail",
    "codebuild": "batch-get-builds batch-get-projects batch-get-build-batches",
    "ecr": "batch-get-image",
    "cloudtrail": "lookup-events",
    "s3": "ls presign",
    "configure": "list list-profiles get",
    "iam": "simulate-principal-policy simulate-custom-policy",
    "s3api": "head-bucket head-object get-bucket-acl get-bucket-cors get-bucket-encryption "
    "get-bucket-lifecycle-configuration get-bucket-location get-bucket-logging "
    "get-bucket-notification-configuration get-bucket-policy get-bucket-policy-status get-bucket-replication "
    "get-bucket-tagging get-bucket-versioning get-bucket-website get-bucket-ownership-controls get-object-acl "
    "get-object-attributes get-object-tagging get-public-access-block get-object-retention get-object-legal-hold "
    "get-object-lock-configuration",
    "apigateway": "get-rest-api get-rest-apis get-resources get-resource get-stages get-stage get-deployments "
    "get-method get-integration get-authorizers get-domain-names get-base-path-mappings get-usage-plans "
    "get-api-keys get-models",
}
AWS_MAKES = (
    "create- put- update- start- stop- run- reboot- modify- attach- detach- associate- disassociate- enable- "
    "disable- add- tag- untag- register- send- publish invoke restore- copy- import- set- authorize- upload- "
    "execute- cp mv sync mb request- allocate- batch-write- promote- accept- replace-"
)
AWS_LOSES = (
    "delete- terminate- deregister- remove- purge- cancel- revoke- batch-delete- release- reset- rm rb"
)
S3_GIVEN = (
    "--acl --exclude --include --storage-class --profile --region --output --query --page-size --request-payer "
    "--expires-in --content-type --cache-control --sse --sse-kms-key-id --metadata --metadata-directive "
    "--source-region --color --content-encoding --content-disposition"
)
"""aws s3: options with a value."""
