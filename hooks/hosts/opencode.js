// Compass for OpenCode: asks before the agent writes. `compass init --host opencode` wrote it, `--uninstall` removes it.
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"

const GATE = __GATE__

const within = (seconds, work) => new Promise((resolve, reject) => {
  const late = setTimeout(() => reject(new Error(`the hook gave no answer within ${seconds} s`)), seconds * 1000)
  work.then(resolve, reject).finally(() => clearTimeout(late))
})

// What the hook answers, {} for nothing. Rejects whatever else comes of it: no start, an exit code, no answer of ours.
const ask = (event, payload, seconds = GATE.seconds) => within(seconds, new Promise((resolve, reject) => {
  const how = { stdio: ["pipe", "pipe", "ignore"], timeout: seconds * 1000, killSignal: "SIGKILL" }
  const child = spawn(GATE.program, [...GATE.before, event, ...GATE.after], how)
  let out = ""
  child.stdout?.setEncoding("utf8").on("data", (text) => (out += text))
  child.stdin?.on("error", () => {})
  child.on("error", reject)
  child.on("close", (code, signal) => {
    if (code !== 0) return reject(new Error(`the hook ended with ${code ?? signal}`))
    let found
    try { found = JSON.parse(out || "{}") } catch {}
    out && !found?.deny && !found?.say && !found?.agent ? reject(new Error("the hook's answer cannot be parsed")) : resolve(found)
  })
  child.stdin?.end(JSON.stringify(payload))
}))

// Whether `compass init` was run for the folder, its repository, or that repository's main work tree.
const isSetUp = (directory) => {
  const folders = [existsSync(directory) ? realpathSync(directory) : directory]
  let at = folders[0]
  while (at !== dirname(at) && !existsSync(join(at, ".git"))) at = dirname(at)
  try { folders.push(at, /^gitdir: (.*)\/\.git\/worktrees\//.exec(readFileSync(join(at, ".git"), "utf8"))[1]) } catch {}
  const name = (folder) => createHash("sha256").update(folder).digest("hex").slice(0, 16)
  return !GATE.records.length || folders.some((folder) => GATE.records.some((base) => existsSync(join(base, name(folder)))))
}

// The words of a message, without what the client added. Those of a command come behind what the person typed.
const textOf = (parts) => {
  const own = parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored && part.text)
  return [own[0]?.metadata?.typed, ...own.map((part) => part.text)].filter(Boolean).join("\n\n")
}

export const Compass = async ({ client, directory }) => {
  const [roots, tasks, typed, passed, begun] = [new Map(), new Map(), new Map(), new Map(), new Set()]
  const told = async (call) => (await call).data ?? Promise.reject(new Error("OpenCode does not describe the session"))
  const rootOf = async (id) => {
    for (let at = id; !roots.has(id); ) {
      const { parentID } = await told(client.session.get({ path: { id: at } }))
      if (parentID) at = parentID
      else roots.set(id, at)
    }
    return roots.get(id)
  }
  const caller = async (id) => ({ session: await rootOf(id), agent: id === roots.get(id) ? undefined : id, project: directory })
  const toast = (message) => client.tui.showToast({ body: { title: "Compass", message, variant: "warning", duration: 15000 } })
  const show = (message) => message && toast(message).catch(() => {})
  const pending = async ({ tool, sessionID, callID }, args) => {
    const one = { ...(await caller(sessionID)), tool, args, call: callID, task: tasks.get(sessionID) }
    if (!GATE.plain.includes(tool)) one.servers = Object.keys(await told(client.mcp.status()))
    const messages = await told(client.session.messages({ path: { id: one.session }, query: { limit: GATE.messages } }))
    const said = messages.map(({ info, parts }) => ({ id: info.id, role: info.role, text: textOf(parts), summary: info.summary === true,
      running: !info.time?.completed || parts.some((part) => part.callID === callID) }))
    return { ...one, said }
  }
  const after = async (event, { tool, sessionID, callID }, output) => {
    const answer = await caller(sessionID).then((one) => ask(event, { ...one, tool, call: callID })).catch(() => ({}))
    if (answer.agent && output) output.output += `\n\n${answer.agent}`
    show(answer.say)
  }
  const end = async (id) => begun.delete(id) && ask("session-end", { session: id, project: directory }, 5).catch(() => {})

  return {
    "tool.execute.before": async (input, { args }) => {
      if (GATE.reads.includes(input.tool) || input.tool === "task") return
      const answer = await within(GATE.seconds, pending(input, args).then((one) => ask("pre-tool-use", one))).catch((error) => {
        if (!isSetUp(directory)) return {}
        const say = `Compass could not check this call: ${error.message}. See \`compass doctor --host opencode\`.`
        return GATE.closed ? { say, deny: `${say} Nothing was written.` } : { say }
      })
      show(answer.say)
      if (!answer.deny) return void passed.set(input.callID, input)
      // A little later, so that the denial is kept and shown first.
      if (answer.stop) setTimeout(() => client.session.abort({ path: { id: input.sessionID } }).catch(() => {}), 50)
      throw new Error(answer.deny)
    },
    "tool.execute.after": async (input, output) => {
      const failed = passed.delete(input.callID) && input.tool === "bash" && output.metadata?.exit !== 0 ? "-failure" : ""
      if (!GATE.reads.includes(input.tool)) await after(`post-tool-use${failed}`, input, output)
    },
    event: async ({ event: { type, properties } }) => {
      if (type === "session.deleted") await end(properties.info?.id)
      const { callID, state } = (type === "message.part.updated" && properties.part) || {}
      const input = state?.status === "error" && passed.get(callID)
      if (input && passed.delete(callID)) await after("post-tool-use-failure", input)
    },
    "command.execute.before": async ({ sessionID, command, arguments: words }) => void typed.set(sessionID, `/${command} ${words}`),
    "chat.message": async ({ sessionID }, { message, parts }) => {
      const [first, one] = [parts.find((part) => part.type === "text" && !part.synthetic), await caller(sessionID).catch(() => ({}))]
      if (first && typed.has(sessionID)) first.metadata = { ...first.metadata, typed: typed.get(sessionID) }
      typed.delete(sessionID)
      if (one.agent) tasks.set(sessionID, textOf(parts))
      if (one.agent || !one.session || !first) return
      const events = [["user-prompt-submit", { prompt: textOf(parts), id: message.id }]]
      if (!begun.has(sessionID)) events.unshift(["session-start", {}])
      begun.add(sessionID)
      for (const [event, more] of events) {
        const { agent: text, say } = await ask(event, { ...one, ...more }).catch(() => ({}))
        show(say)
        if (text) parts.push({ id: `${first.id}${event[0]}`, sessionID, messageID: message.id, type: "text", text, synthetic: true })
      }
    },
    "shell.env": async ({ sessionID: id }, { env }) => void (id && (env.OPENCODE_COMPASS_SESSION = await rootOf(id).catch(() => id))),
    dispose: async () => void (await Promise.all([...begun].map(end))),
  }
}
