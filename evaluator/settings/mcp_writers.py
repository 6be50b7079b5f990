"""The MCP tools that are known to write, in the form of `gate.mcp_tools`. Data only; imports nothing.

A row is a tool's name, with `*` for what its user called the server, and what it does: `OPERATION:FIELD,FIELD`, as
`evaluator.trigger.tools` reads it. Tools of one name do the same thing on the servers that are in use; where they
differ, the row says the more severe.
"""

from __future__ import annotations

_SHELLS = (
    "execute_command execute_shell_command exec_command run_command run_shell_command run_terminal_cmd "
    "run_terminal_command run_in_terminal run_script shell shell_exec shell_execute shell_command bash exec "
    "terminal start_process start_command execute-command run-command executeCommand runCommand BashCommand"
)
_WRITES: dict[str, str] = {
    # files of this machine
    "write:path,file_path,filePath,relative_path": "write_file create_file create_text_file save_file put_file "
    "write_text_file write_to_file replace_file file_write writeFile createFile",
    "write:file_path,path": "FileWriteOrEdit write_pdf",
    "append:path,file_path": "append_file append_to_file",
    "edit:path,file_path,filePath,relative_path": "edit_file edit_file_lines str_replace str_replace_editor "
    "str_replace_based_edit_tool edit_block insert_text patch_file modify_file update_file text_editor replace_in_file "
    "search_and_replace replace_content replace_regex replace_lines delete_lines insert_at_line insert_line "
    "replace_symbol_body insert_after_symbol insert_before_symbol rename_symbol editFile edit_notebook_cell "
    "insert_cell overwrite_cell_source",
    "edit:files[].path": "edit_files write_multiple_files",
    "create:path,directory,dir_path": "create_directory make_directory mkdir",
    "move:source,destination,old_path,new_path": "move_file rename_file move_directory move_files",
    "write:destination,destination_path": "copy_file copy_directory",
    "delete:path,file_path,paths,files,directory": "delete_file delete_files remove_file remove_files "
    "delete_directory remove_directory deleteFile rmdir delete_cell",
    "permissions:path": "set_permissions chmod change_permissions",
    "patch:patch,input,diff,patch_content": "apply_patch apply_diff",
    # shells, and what types into one
    "shell:command,cmd,script,commands": _SHELLS,
    "unknown:code": "executeCode execute_code run_code run_python run_python_code execute_python python_exec "
    "insert_execute_code_cell execute_cell run_javascript",
    "types:input,text,keys,command": "interact_with_process send_input send_keys send_control_character "
    "write_to_terminal write_stdin type_text send_text",
    "unknown:": "force_terminate kill_process terminate_process set_config_value restart_server",
    # git
    "vcs:files,repo_path": "git_add git_stage",
    "vcs:repo_path,path": "git_commit git_checkout git_create_branch git_init git_merge git_pull git_push "
    "git_tag git_cherry_pick git_worktree git_clone git_stash git_remote git_switch",
    "unknown:repo_path,path": "git_reset git_rebase git_clean git_restore git_revert git_delete_branch git_rm",
    # forges
    "network:path": "create_or_update_file",
    "network:files[].path": "push_files",
    "network:": "create_branch create_repository fork_repository create_issue update_issue issue_write sub_issue_write "
    "add_issue_comment create_pull_request create_pull_request_with_copilot update_pull_request "
    "merge_pull_request update_pull_request_branch pull_request_review_write create_pull_request_review "
    "submit_pending_pull_request_review add_comment_to_pending_review create_and_submit_pull_request_review "
    "create_gist update_gist run_workflow rerun_workflow_run rerun_failed_jobs cancel_workflow_run "
    "assign_copilot_to_issue create_merge_request merge_merge_request update_merge_request create_note "
    "create_release label_write "
    # trackers, chats, documents
    "create_comment update_comment send_message post_message chat_postMessage slack_post_message slack_reply_to_thread "
    "slack_send_message send_email draft_email createJiraIssue editJiraIssue transitionJiraIssue addCommentToJiraIssue "
    "createConfluencePage updateConfluencePage save_issue save_comment save_project create_page update_page "
    "notion-create-pages notion-update-page notion-move-pages API-post-page API-patch-page API-patch-block-children "
    # deployments
    "deploy_to_vercel deploy create_project create_deployment deploy_edge_function create_resource update_resource "
    "apply_manifest kubectl_apply kubectl_create kubectl_patch kubectl_scale kubectl_rollout install_helm_chart "
    "upgrade_helm_chart create_container run_container",
    "delete:": "delete_branch delete_repository delete_issue delete_workflow_run_logs delete_release delete_gist "
    "delete_comment delete_page delete_project delete_resource delete_row delete_rows delete_record delete_records "
    "delete_database drop_table drop_database drop_collection drop_index delete_many deleteMany delete-many "
    "drop-database drop-collection kubectl_delete uninstall_helm_chart remove_container stop_container prune_images "
    "delete_entities delete_observations delete_relations delete_memory API-delete-a-block pause_project "
    "delete_email batch_delete_emails reset_branch rebase_branch",
    # databases
    "sql:query,sql,statement,queries": "execute_sql run_sql run_query execute_query write_query "
    "create_table alter_table apply_migration mysql_query pg_execute_sql",
    "network:table": "insert_row insert_rows update_row update_rows insert_record update_record insert-many "
    "update-many insert_many update_many insertMany updateMany create_record "
    "update_records create_records merge_branch",
}  # fmt: skip

_SERVERS = ("sql", "postgres", "database", "duckdb")
MCP_WRITERS: tuple[tuple[str, str], ...] = tuple(
    sorted(
        [(f"mcp__*__{name}", does) for does, names in _WRITES.items() for name in names.split()]
        + [(f"mcp__*{server}*__query", "sql:sql,query") for server in _SERVERS]
    )
)
"""(name of the tool, what it does), in the order of the names."""
