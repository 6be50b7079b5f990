"""The token shapes of services: kind, anchors, pattern. A table and nothing else.

Every repetition is bounded or cannot be entered again from inside (left boundary), so that hostile text costs
linear time. Lengths are minima rather than exact: a token whose end was cut off is a secret too.
"""

from __future__ import annotations

from typing import NamedTuple


class Shape(NamedTuple):
    """A token begins at one of `anchors`, or holds one where `inside` is set.

    What is replaced is group `v` of `pattern`, or all of the match where it has none.
    """

    kind: str
    anchors: tuple[str, ...]
    pattern: str
    inside: bool = False


ESCAPED = r"|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2})"
"""Right after an escaped line end or a percent escape counts as outside of a word."""
L = rf"(?:(?<![A-Za-z0-9]){ESCAPED})"
"""Not inside a word."""
LW = rf"(?:(?<![\w-]){ESCAPED})"
B64 = rf"(?:(?<![A-Za-z0-9+/]){ESCAPED})"
"""Not inside base64 either, where any few letters stand sooner or later."""
L1 = r"(?:(?<![A-Za-z0-9].)|(?<=\\[nrt].)|(?<=%[0-9A-Fa-f]{2}.))"
"""As L, one character later: a search is faster from a character than from a boundary."""
LW1 = r"(?:(?<![\w.-].)|(?<=\\[nrt].)|(?<=%[0-9A-Fa-f]{2}.))"
R = r"(?![A-Za-z0-9])"
X = "[0-9a-f]"
A = "[A-Za-z0-9]"
W = r"[\w-]"
UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
DER = "BSU0EgUFJJ|BQUklW|BPUEVO|BFQyBQ|BFTkNSW|BEU0EgU|BQR1AgUFJJ"
"""What follows the base64 of `-----BEGIN` where a private key begins, and not a certificate."""

CLOUDS = (
    Shape("aws-key", ("AKIA", "ASIA", "ABIA", "ACCA"), rf"{L}A(?:KI|SI|BI|CC)A[A-Z0-9]{{16}}{R}"),
    Shape(
        "aws-secret",
        ("AKIA", "ASIA"),
        r"A[KS]IA[A-Z0-9]{16}[^A-Za-z0-9+/][^\n]{0,60}?(?<![A-Za-z0-9+/])"
        r"(?P<v>(?=[A-Za-z0-9+/]{0,39}[0-9+/])(?=[A-Za-z0-9+/]{0,39}[a-z])[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])",
    ),
    Shape("aws-key", ("ABSK", "bedrock-api-key-"), r"(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/]{40,400}={0,2}"),
    Shape("google-key", ("AIza",), rf"{L}AIza{W}{{30,60}}"),
    Shape("google-key", ("AQ.Ab",), rf"{L}AQ\.Ab{W}{{30,120}}"),
    Shape("google-token", ("ya29.",), rf"{L}ya29\.[\w.-]{{20,2048}}"),
    Shape("google-token", ("1//0",), rf"{LW}1//0{W}{{30,256}}"),
    Shape("google-key", (":APA91b",), rf"{A}{L1}{W}{{6,20}}:APA91b{W}{{100,200}}", inside=True),
    Shape("google-secret", ("GOCSPX-",), rf"GOCSPX-{W}{{20,64}}"),
    Shape("azure-secret", ("Q~",), rf"[\w~.-]{L1}[\w~.-]{{2}}[0-9]Q~[\w~.-]{{31,40}}", inside=True),
    Shape(
        "azure-key",
        ("JQQJ99", "AZDO", "AzFu", "AzSe", "AzCa"),
        rf"{A}{L1}(?={A}{{39,80}}(?:JQQJ99|AZDO|AzFu|AzSe|AzCa)){A}{{43,100}}(?:==)?",
        inside=True,
    ),
    Shape("azure-sas", ("sig=",), r"(?<=[?&;])sig=(?P<v>[\w%+/-]{20,200}={0,2})"),
    Shape("url-signature", ("Signature=",), r"(?<=[?&-])Signature=(?P<v>[\w%+/-]{20,700}={0,2})"),
    Shape("digitalocean-token", ("dop_v1_", "doo_v1_", "dor_v1_"), rf"do[opr]_v1_{X}{{40,80}}"),
    Shape("heroku-key", ("HRKU-",), rf"HRKU-{W}{{30,80}}"),
    Shape("alibaba-key", ("LTAI",), rf"{L}LTAI{A}{{12,24}}{R}"),
    Shape("tencent-key", ("AKID",), rf"{L}AKID{A}{{28,40}}{R}"),
    Shape("yandex-key", ("AQVN",), rf"{L}AQVN{W}{{35,40}}"),
    Shape("cloudflare-key", ("v1.0-",), rf"{L}v1\.0-{X}{{24}}-{X}{{100,160}}"),
    Shape("cloudflare-token", ("cfut_", "cfat_", "cfk_"), rf"{L}cf(?:ut|at|k)_{A}{{30,80}}"),
    Shape("vercel-token", ("vcp_", "vci_", "vca_", "vcr_", "vck_"), rf"{L}vc[picark]_{A}{{20,80}}"),
    Shape("netlify-token", ("nfp_", "nfc_", "nfo_", "nfu_", "nfb_"), rf"{L}nf[pcoub]_{A}{{30,60}}"),
    Shape("fly-token", ("fm1", "fm2_", "fo1_"), rf"{L}f(?:m[12][ar]?|o1)_[\w+/=,-]{{40,2048}}"),
    Shape("render-key", ("rnd_",), rf"{L}rnd_{A}{{24,40}}{R}"),
    Shape("planetscale-token", ("pscale_",), r"pscale_(?:tkn|pw|oauth)_[\w.=-]{30,80}"),
    Shape("neon-key", ("napi_", "npg_"), rf"{L}(?:napi_[a-z0-9]{{40,80}}|npg_{A}{{12,40}})"),
    Shape("supabase-key", ("sbp_", "sb_secret_"), rf"{L}(?:sbp_(?:v0_)?{X}{{40}}|sb_secret_{W}{{20,80}})"),
    Shape(
        "databricks-token", ("dapi", "dose", "dkea"), rf"{L}d(?:api|ose|kea){X}{{32}}(?:-[0-9]{{1,2}})?{R}"
    ),
)

CODE = (
    Shape(
        "github-token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        rf"gh[pousr]_{A}{{20,255}}(?:[_.]{W}{{10,1024}}){{0,3}}",
    ),
    Shape("github-token", ("github_pat_",), r"github_pat_\w{22,255}"),
    Shape(
        "gitlab-token",
        (
            "glpat-",
            "gloas-",
            "gldt-",
            "glrt",
            "glcbt-",
            "glptt-",
            "glft-",
            "glimt-",
            "glagent-",
            "glsoat-",
            "glffct-",
        ),
        rf"{L}gl[a-z]{{2,5}}-{W}{{20,300}}(?:\.[0-9a-z]{{2,10}}){{0,2}}",
    ),
    Shape("gitlab-token", ("GR1348941",), rf"GR1348941{W}{{20,50}}"),
    Shape("compass-token", ("cmp_",), rf"{L}cmp_[a-z0-9-]{{1,40}}_[A-Za-z0-9-]{{1,40}}_{W}{{20,80}}"),
    Shape("atlassian-token", ("ATATT", "ATCTT", "ATBB", "ATSTT"), rf"{B64}AT(?:[ACS]TT|BB)[\w=.-]{{20,400}}"),
    Shape("npm-token", ("npm_",), rf"npm_{A}{{30,80}}"),
    Shape("pypi-token", ("pypi-AgE",), rf"pypi-AgE{W}{{40,400}}"),
    Shape("docker-token", ("dckr_",), rf"dckr_[po]at_{W}{{20,80}}"),
    Shape("rubygems-key", ("rubygems_",), rf"rubygems_{X}{{40,60}}"),
    Shape("crates-token", ("cio",), rf"{L}cio(?=[A-Za-z]{{0,31}}[0-9]){A}{{32}}{R}"),
    Shape("nuget-key", ("oy2",), rf"{L}oy2[a-z0-9]{{43}}{R}"),
    Shape("clojars-token", ("CLOJARS_",), rf"CLOJARS_{A}{{40,80}}"),
    Shape("artifactory-key", ("AKCp", "cmVmd"), rf"{B64}(?:AKCp{A}{{60,80}}|cmVmd{A}{{55,70}})"),
    Shape("buildkite-token", ("bkua_", "bkpt_"), rf"{L}bk(?:ua|pt)_{X}{{40}}"),
    Shape("circleci-token", ("CCIPAT_", "CCIPRJ_"), r"CCIP(?:AT|RJ)_\w{30,120}"),
    Shape("sonar-token", ("sqp_", "squ_", "sqa_"), rf"{L}sq[pua]_{X}{{40}}"),
    Shape("sourcegraph-token", ("sgp_",), rf"{L}sgp_[0-9a-f_]{{40,80}}"),
    Shape("terraform-token", (".atlasv1.",), rf"{A}{L1}{A}{{13}}\.atlasv1\.[\w=-]{{40,80}}", inside=True),
    Shape("pulumi-token", ("pul-",), rf"{L}pul-{X}{{40}}"),
    Shape("vault-token", ("hvs.", "hvb.", "hvr."), rf"{L}hv[sbr]\.{W}{{20,512}}"),
    Shape("vault-token", ("s.",), rf"{LW}s\.(?=[A-Za-z]{{0,23}}[0-9]){A}{{24}}{R}"),
    Shape("doppler-token", ("dp.",), rf"{L}dp\.(?:pt|st|ct|sa|scim|audit)\.(?:{W}{{2,35}}\.)?{A}{{36,50}}"),
    Shape("onepassword-token", ("ops_eyJ",), r"ops_eyJ[\w+/=-]{60,4096}"),
    Shape(
        "onepassword-key",
        ("A3-",),
        rf"{L}A3-[A-Z0-9]{{6}}-(?:[A-Z0-9]{{11}}|[A-Z0-9]{{6}}-[A-Z0-9]{{5}})(?:-[A-Z0-9]{{5}}){{3}}",
    ),
    Shape("age-key", ("AGE-SECRET-KEY-1",), r"AGE-SECRET-KEY-1[A-Z0-9]{40,64}"),
    Shape("tailscale-key", ("tskey-",), r"tskey-[a-z]{2,12}-[A-Za-z0-9-]{20,80}"),
)

MODELS = (
    Shape("anthropic-key", ("sk-ant-",), rf"sk-ant-{W}{{20,200}}"),
    Shape(
        "openai-key",
        ("sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"),
        rf"sk-(?:proj|svcacct|admin|None)-{W}{{20,300}}",
    ),
    Shape(
        "api-key",
        ("sk-",),
        rf"{L}(?<!_)sk-(?:[a-z0-9]{{1,12}}-){{0,3}}(?=[A-Za-z_-]{{0,80}}[0-9]){A}{{20,120}}{R}",
    ),
    Shape("api-key", ("sk-lf-",), rf"sk-lf-{UUID}"),
    Shape("huggingface-token", ("hf_", "api_org_"), rf"{L}(?:hf_|api_org_){A}{{30,60}}"),
    Shape("groq-key", ("gsk_",), rf"{L}gsk_{A}{{40,80}}"),
    Shape("xai-key", ("xai-",), rf"{L}xai-{A}{{40,120}}"),
    Shape("perplexity-key", ("pplx-",), rf"{L}pplx-{A}{{40,80}}"),
    Shape("replicate-token", ("r8_",), rf"{L}r8_{A}{{30,50}}"),
    Shape("nvidia-key", ("nvapi-",), rf"nvapi-{W}{{50,100}}"),
    Shape("tavily-key", ("tvly-",), rf"tvly-{W}{{20,60}}"),
    Shape("langsmith-key", ("lsv2_",), rf"lsv2_(?:pt|sk)_{X}{{32}}_{X}{{10}}"),
    Shape("pinecone-key", ("pcsk_",), r"pcsk_\w{40,100}"),
    Shape("elevenlabs-key", ("sk_",), rf"{L}sk_{X}{{48}}{R}"),
)

MESSAGES = (
    Shape("slack-token", ("xox",), r"xox[abceoprs](?:\.xox[bp])?-[\w-]{10,300}"),
    Shape("slack-token", ("xapp-", "xwfp-"), r"(?:xapp|xwfp)-[A-Za-z0-9-]{20,200}"),
    Shape(
        "slack-webhook",
        ("hooks.slack",),
        r"hooks\.slack(?:-gov)?\.com/(?P<v>(?:services|workflows|triggers)/[\w/+-]{20,200})",
    ),
    Shape("discord-webhook", ("/api/webhooks/",), rf"/api/webhooks/(?P<v>[0-9]{{10,25}}/{W}{{30,120}})"),
    Shape("teams-webhook", ("/webhookb2/",), r"/webhookb2/(?P<v>[\w@/-]{40,300})"),
    Shape(
        "zapier-webhook", ("hooks.zapier.com/",), r"hooks\.zapier\.com/hooks/catch/(?P<v>\w{4,20}/\w{4,20})"
    ),
    Shape(
        "discord-token",
        (".",),
        rf"[MNO]{LW1}(?=[A-Za-z_-]{{0,26}}[0-9]){W}{{22,28}}\.{W}{{6,7}}\.{W}{{27,45}}(?![\w.-])",
        inside=True,
    ),
    Shape("discord-token", ("mfa.",), rf"{L}mfa\.{W}{{80,100}}"),
    Shape(
        "telegram-token",
        (":A",),
        rf"[0-9]{L1}[0-9]{{5,11}}:A{W}{{30,40}}(?!{W})|(?<=/bot)[0-9]{{6,12}}:{W}{{30,40}}",
        inside=True,
    ),
    Shape("twilio-key", ("SK",), rf"{L}SK{X}{{32}}{R}"),
    Shape("sendgrid-key", ("SG.",), rf"{L}SG\.{W}{{16,32}}\.{W}{{16,64}}"),
    Shape("mailgun-key", ("key-",), rf"{L}key-{X}{{32}}{R}"),
    Shape("mailgun-key", ("-",), rf"{X}{LW1}{X}{{31}}-{X}{{8}}-{X}{{8}}(?![\w-])", inside=True),
    Shape("mailchimp-key", ("-us",), rf"{X}{LW1}{X}{{31}}-us[0-9]{{1,2}}{R}", inside=True),
    Shape("brevo-key", ("xkeysib-", "xsmtpsib-"), rf"x(?:key|smtp)sib-{X}{{64}}-{A}{{16}}"),
    Shape("resend-key", ("re_",), rf"{L}re_{A}{{8}}_{A}{{20,40}}{R}"),
)

SHOPS = (
    Shape(
        "stripe-key",
        ("sk_live_", "sk_test_", "sk_org_", "rk_live_", "rk_test_"),
        rf"{L}[sr]k_(?:live|test|org)_\w{{10,255}}",
    ),
    Shape("stripe-webhook", ("whsec_",), r"whsec_[A-Za-z0-9+/=]{24,100}"),
    Shape("square-token", ("sq0",), rf"{L}sq0(?:atp|csp|acp)-{W}{{20,60}}"),
    Shape(
        "access-token",
        ("EAA",),
        rf"{B64}EAA(?=[A-Za-z_-]{{0,60}}[0-9]){W}{{57,300}}(?![A-Za-z0-9+/=])",
    ),
    Shape("shopify-token", ("shp",), rf"{L}shp(?:at|ca|pa|ss|ua|tka|ltka)_[0-9a-fA-F]{{32,40}}"),
    Shape(
        "paypal-token",
        ("access_token$",),
        rf"access_token\$(?:production|sandbox)\$[0-9a-z]{{16}}\${X}{{32}}",
    ),
    Shape("flutterwave-key", ("FLWSECK",), r"FLWSECK(?:_TEST)?-[\w-]{12,50}"),
    Shape("shippo-token", ("shippo_",), rf"shippo_(?:live|test)_{X}{{40}}"),
    Shape("easypost-key", ("EZAK", "EZTK"), rf"{L}EZ[AT]K{A}{{54}}"),
    Shape("plaid-token", ("access-",), rf"access-(?:production|development|sandbox)-{UUID}"),
)

TOOLS = (
    Shape("notion-token", ("secret_", "ntn_"), rf"{L}(?:secret_{A}{{43}}|ntn_{A}{{40,60}}){R}"),
    Shape("linear-key", ("lin_api_", "lin_oauth_"), rf"lin_(?:api|oauth)_{A}{{30,80}}"),
    Shape("airtable-token", ("pat",), rf"{L}pat{A}{{14}}\.{X}{{64}}"),
    Shape("asana-token", ("1/", "2/"), rf"{LW}[12]/[0-9]{{10,20}}(?:/[0-9]{{10,20}})?:{X}{{32}}{R}"),
    Shape("hubspot-token", ("pat-",), rf"{L}pat-[a-z]{{2}}[0-9]-{UUID}"),
    Shape("figma-token", ("figd_", "figo_"), rf"fig[do]_{W}{{30,60}}"),
    Shape("dropbox-token", ("sl.",), rf"{L}sl\.(?:u\.)?{W}{{100,2048}}"),
    Shape("contentful-token", ("CFPAT-",), rf"CFPAT-{W}{{40,60}}"),
    Shape("typeform-token", ("tfp_",), rf"{L}tfp_[\w.-]{{40,80}}"),
    Shape("postman-key", ("PMAK-",), rf"PMAK-{X}{{24}}-{X}{{34}}"),
    Shape("mapbox-token", ("sk.eyJ",), rf"{L}sk\.eyJ{W}{{30,200}}\.{W}{{16,60}}"),
    Shape("launchdarkly-key", ("sdk-", "api-"), rf"{L}(?:sdk|api)-{UUID}"),
    Shape(
        "newrelic-key", ("NRAK-", "NRJS-", "NRII-", "NRAA-", "NRBR-"), rf"NR(?:AK|JS|II|AA|BR)-{W}{{19,40}}"
    ),
    Shape("datadog-key", ("ddpat_", "ddapp_", "ddapi_"), rf"{L}dd(?:pat|app|api)_{A}{{20,80}}"),
    Shape("grafana-token", ("glsa_", "glc_"), rf"{L}gl(?:sa|c)_[\w+/=]{{32,400}}"),
    Shape("dynatrace-token", ("dt0",), r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{60,70}"),
    Shape("sentry-token", ("sntrys_", "sntryu_"), r"sntry[su]_[\w+/=-]{40,400}"),
    Shape("posthog-key", ("phx_",), rf"{L}phx_{A}{{40,60}}"),
    Shape("prefect-key", ("pnu_",), rf"{L}pnu_{A}{{36}}"),
    Shape(
        "twitter-token",
        ("AAAAAAAAAAAAAAAAAA",),
        r"(?<![A-Za-z0-9+/=])A{18,24}[B-Za-z0-9](?=[A-Za-z]{0,80}[0-9%])[A-Za-z0-9%]{60,200}",
    ),
    Shape(
        "deepl-key",
        (":fx",),
        rf"[0-9a-fA-F]{L1}[0-9a-fA-F]{{7}}(?:-[0-9a-f]{{4}}){{3}}-{X}{{12}}:fx{R}",
        inside=True,
    ),
)

ANY = (
    Shape("jwt", ("eyJ",), rf"{LW}eyJ{W}{{8,}}+\.{W}{{6,}}+(?:\.{W}++){{0,3}}"),
    Shape(
        "jwk",
        ('"d"', '"p"', '"q"', '"dp"', '"dq"', '"qi"', '"k"'),
        r"\"[a-z]{1,2}\"\s{0,8}:\s{0,8}\"(?P<v>[\w-]{20,2048})\"",
    ),
    Shape("private-key", ("LS0tLS1CRUdJTi",), rf"LS0tLS1CRUdJTi(?:{DER})[A-Za-z0-9+/=]{{20,}}+"),
    Shape(
        "private-key",
        ("b3BlbnNzaC1rZXktdjE",),
        r"b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=]{20,}+(?:(?:\s|\\n)[A-Za-z0-9+/=]{20,76})*+",
    ),
)

SHAPES: tuple[Shape, ...] = (*CLOUDS, *CODE, *MODELS, *MESSAGES, *SHOPS, *TOOLS, *ANY)
