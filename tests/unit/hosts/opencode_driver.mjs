// Plays OpenCode to the plugin named on the command line: a call of one of its hooks a line in, what became of it a line out.
import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"

const [plugin, directory] = process.argv.slice(2)
const world = { parents: {}, messages: {}, servers: {}, hangs: "", fails: "" }
const toasts = []
const aborted = []
const asked = []
const reply = async (name, data) => {
  asked.push(name)
  if (world.hangs === name) return new Promise(() => {})
  if (world.fails === name) return { error: { name: "NotFoundError" } }
  return { data }
}
const client = {
  session: {
    get: ({ path }) => reply("get", { id: path.id, parentID: world.parents[path.id] }),
    messages: ({ path, query }) => reply("messages", (world.messages[path.id] ?? []).slice(-(query?.limit ?? 1e9))),
    abort: async ({ path }) => void aborted.push(path.id),
  },
  mcp: { status: () => reply("servers", world.servers) },
  tui: { showToast: async ({ body }) => void toasts.push(body.message) },
}
const { Compass } = await import(pathToFileURL(plugin).href)
const hooks = await Compass({ client, directory })
for await (const line of createInterface({ input: process.stdin })) {
  const { set, hook, input, output = {} } = JSON.parse(line)
  Object.assign(world, set)
  const began = performance.now()
  const said = { threw: null, output, toasts, aborted, asked }
  try {
    if (hook) await hooks[hook](input, output)
  } catch (error) {
    said.threw = error.message
  }
  if (set?.waits) await new Promise((resolve) => setTimeout(resolve, set.waits))
  console.log(JSON.stringify({ ...said, ms: performance.now() - began }))
  for (const kept of [toasts, aborted, asked]) kept.length = 0
}
process.exit(0)
