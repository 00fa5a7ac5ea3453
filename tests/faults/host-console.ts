import { appendFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { PanelFiles } from '../../src/hosts/pterodactyl/files.ts'
import { PanelApi } from '../../src/hosts/pterodactyl/panel-api.ts'
import { PanelSftp } from '../../src/hosts/pterodactyl/panel-sftp.ts'
import { PanelServers } from '../../src/hosts/pterodactyl/servers.ts'
import { ServerConsole } from '../../src/hosts/pterodactyl/server-console.ts'
import { makeDispatcher } from '../../src/main/api/requests/transport.ts'
import { KEY, PterodactylPanel } from '../doubles/hosts/pterodactyl/panel.ts'
import type { Case } from './case.ts'

const PER_TURN = 20
const TURN_MS = 10
const EVERY_TOKEN = 10_000
const SETTLED_MS = 30_000

/**
 * The socket of a Pterodactyl server is cut at random while it prints 2,000 lines a second: what its log file holds
 * arrives once, in order, and nothing is said to be missing. The panel is a stand-in.
 */
export async function hostConsoleCut(it: Case): Promise<void> {
  const { stage, chance, long } = it
  const host = await PterodactylPanel.open()
  stage.atEnd(() => host.close())
  host.tokensPerMinute = EVERY_TOKEN
  const folder = stage.at('server')
  mkdirSync(path.join(folder, 'logs'), { recursive: true })
  const server = host.add(folder)
  const dispatcher = makeDispatcher()
  stage.atEnd(() => dispatcher.destroy())
  const api = new PanelApi(host.base, dispatcher)
  const files = new PanelFiles(
    api,
    new PanelSftp(api, new PanelServers(api, () => new Set()), dispatcher.dial, null),
  )
  const console = new ServerConsole({
    serverId: server.uuid,
    dial: dispatcher.dial,
    async *origins() {
      yield api.origin
    },
    tokensMost: EVERY_TOKEN,
    token: () => Promise.resolve(host.wings.token(server.uuid)),
    log: (signal) => files.tail(server.uuid, 'logs/latest.log', { key: KEY, signal }),
    onStatus: () => undefined,
    memory: { newest: () => Promise.resolve(null) },
  })
  stage.atEnd(() => Promise.resolve(console.close()))

  let written = 0
  const write = () => {
    const lines = Array.from({ length: PER_TURN }, () => `line ${written++}`)
    const time = new Date().toISOString().slice(11, 19)
    const text = lines.map((line) => `[${time}] [Server thread/INFO]: ${line}\n`).join('')
    appendFileSync(path.join(folder, 'logs/latest.log'), text)
    host.wings.print(server.uuid, ...lines.map((line) => `[${time} INFO]: ${line}`))
  }
  write()
  const log = await console.lines()
  const seen: number[] = []
  let gaps = 0
  for (const { text } of log.page({})) seen.push(Number(text.slice(text.lastIndexOf(' '))))
  let last = log.lastId
  log.listen(() => {
    for (const news of log.after(last)) {
      last = news.kind === 'gap' ? news.to : news.lines.at(-1)!.id
      if (news.kind === 'gap') gaps++
      else for (const { text } of news.lines) seen.push(Number(text.slice(text.lastIndexOf(' '))))
    }
  })

  const flood = setInterval(write, TURN_MS)
  const times = long ? 50 : 5
  for (; it.tried < times; it.tried++) {
    while (host.wings.lines.size === 0) await wait(20)
    // Also while it is still being joined to the log.
    await wait(chance.between(0, 1500))
    host.wings.cut()
    while (host.wings.lines.size > 0) await wait(5)
  }
  await wait(1000)
  clearInterval(flood)
  const late = performance.now() + SETTLED_MS
  while (seen.length < written && performance.now() < late) await wait(100)

  const counts = new Map<number, number>()
  for (const number of seen) counts.set(number, (counts.get(number) ?? 0) + 1)
  for (let at = 0; at < written; at++) {
    const count = counts.get(at) ?? 0
    if (count === 0) it.lost.push(`line ${at}`)
    if (count > 1) it.doubled.push(`line ${at}`)
  }
  it.expect(
    seen.every((line, at) => at === 0 || line > seen[at - 1]!),
    'Lines came in another order.',
  )
  it.expect(gaps === 0, `${gaps} gaps were told, although the log file has every line.`)
  it.note(`${it.tried} cuts, ${written} lines written, ${seen.length} seen, ${gaps} gaps told`)
}
