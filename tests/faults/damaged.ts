import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Case } from './case.ts'
import { type Damage, damages, strike } from './damage.ts'
import { ACCOUNT, hashesOfHosts, Host } from './host.ts'
import { Panel, Refused } from './panel.ts'
import { damagedWhileRunning } from './damaged-running.ts'
import { makeOne } from './tree.ts'

/** Files and folders of each program. Those that are in front are tried with every damage, the others with some. */
const files = {
  panel: {
    always: ['cache.db', 'transfers.db'],
    sometimes: [
      'panel.lock',
      'panel.holder.json',
      'logs/panel.log',
      'logs',
      'spool',
      'former contents',
      'profiles/a.json',
      'cache.db-wal',
      'transfers.db-shm',
    ],
  },
  service: {
    always: ['service.db'],
    sometimes: [
      'service.lock',
      'service.holder.json',
      'logs/service.log',
      'logs',
      'outbox',
      'run',
      'run/a.json',
      'sleeping',
      'servers',
      'copies',
      'service.db-wal',
      'console',
    ],
  },
} as const
type Program = keyof typeof files

/** How many programs are started at once. */
const LANES = 3
/** A user who is not root: root reads what is unreadable. */
const NOBODY = { uid: 65534, gid: 65534 }
const WORLD = 'a world that took years'

/** A kept state of both programs, from which every try begins. */
interface Kept {
  panel: string
  service: string
  serverId: string
}

/**
 * Every file that we keep is damaged in every way, and then its program is started as people start it. It runs, or it
 * ends with a sentence that names the file; what is the only copy is there afterwards, or can be put back.
 */
export async function damaged(it: Case): Promise<void> {
  const { stage, chance } = it
  if (process.getuid?.() === 0) await stage.runAs(NOBODY)
  const kept = await prepare(it)
  const tries: (() => Promise<void>)[] = []
  for (const program of ['panel', 'service'] as const)
    for (const file of [...files[program].always, ...files[program].sometimes])
      for (const damage of damages) {
        const always = (files[program].always as readonly string[]).includes(file)
        if (!always && !it.long && chance.next() > 0.25) continue
        for (let round = 0; round < (it.long && always ? 3 : 1); round++) {
          const data = stage.at(`${program} ${tries.length}`)
          cpSync(kept[program], data, { recursive: true })
          stage.own(data)
          if (!strike(path.join(data, file), damage, chance)) continue
          const one = { it, kept, data, file, damage, program }
          tries.push(() => attempt(one))
        }
      }
  tries.push(() => builtIn(it, kept), ...damagedWhileRunning(it, kept))
  const lane = async () => {
    for (let next = tries.shift(); next; next = tries.shift()) await next()
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

interface Try {
  it: Case
  kept: Kept
  data: string
  file: string
  damage: Damage
  program: Program
}

async function attempt(one: Try): Promise<void> {
  const { it, program, file, damage } = one
  it.tried += 1
  try {
    await (program === 'panel' ? panelTry(one) : serviceTry(one))
  } catch (error) {
    it.wrong.push(`${program}, ${file}, ${damage}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Both programs with what people have in them, as a proper end leaves it. */
async function prepare(it: Case): Promise<Kept> {
  const { stage, chance } = it
  const host = await Host.start(stage, { data: stage.at('kept service') })
  writeFileSync(path.join(host.folder, '..', 'level.dat'), WORLD)
  const panel = await Panel.start(stage, stage.at('kept panel'))
  await panel.signIn(host.port)
  const server = { connectionId: panel.connectionId, serverId: host.serverId }
  await panel.call('files.keep-draft', {
    ...server,
    path: 'a.txt',
    text: 'unsaved',
    etag: null,
    at: Date.now(),
  })
  await panel.call('view.read', { view: 'servers.list', connectionId: panel.connectionId })
  await panel.call('transfers.limit', { limit: 1024, atOnce: 1 })
  const tree = await makeOne(stage.at('from'), 'large.dat', 200_000, chance)
  const { transferId } = await panel.upload(tree, host.serverId)
  await panel.call('transfers.pause', { transferId })
  await panel.end()
  await host.end()
  for (const [folder, name] of [
    ['kept panel/profiles', 'a.json'],
    ['kept service/run', 'a.json'],
  ] as const) {
    const at = stage.at(folder)
    mkdirSync(at, { recursive: true })
    writeFileSync(path.join(at, name), '{}')
  }
  return { panel: stage.at('kept panel'), service: stage.at('kept service'), serverId: host.serverId }
}

async function panelTry({ it, data, file, damage, kept }: Try): Promise<void> {
  const what = `panel, ${file}, ${damage}`
  const before = damage === 'from the future' ? readFileSync(path.join(data, file)) : null
  let panel: Panel
  try {
    panel = await Panel.start(it.stage, data)
  } catch (error) {
    expectPlain(it, what, path.join(data, file), error)
    if (before && !readFileSync(path.join(data, file)).equals(before)) it.lost.push(`${what}: it was changed`)
    const mustStart = ['cache.db', 'transfers.db'].includes(file) && damage !== 'from the future'
    it.expect(!mustStart, `${what}: the panel did not start, although it could have begun it anew.`)
    return
  }
  it.expect(damage !== 'from the future', `${what}: the panel started.`)
  const told = (await panel.call('app.notes', undefined)).map(({ message }) => message).join('\n')
  const begunAnew = ['cache.db', 'transfers.db'].includes(file) && damage !== 'missing'
  // Its owner may have been let at it again, and a flipped byte may lie where nothing is.
  const surely =
    begunAnew && damage !== 'a byte flipped' && !(damage === 'unreadable' && process.getuid?.() !== 0)
  it.expect(!surely || told.includes(path.join(data, file)), `${what}: the panel says “${told}”.`)
  if (begunAnew && told !== '') {
    const aside = readdirSync(path.join(data, 'set aside')).some((name) => name.endsWith(file))
    if (!aside) it.lost.push(`${what}: the old file is nowhere`)
  }
  const connections = await panel.call('connections.list', undefined)
  if (file !== 'cache.db') {
    const [connectionId = ''] = connections.map(({ id }) => id)
    const draft =
      connectionId &&
      (await panel.call('files.draft', { connectionId, serverId: kept.serverId, path: 'a.txt' }))
    if (!draft || draft.text !== 'unsaved') it.lost.push(`${what}: the unsaved text`)
  }
  if (!['transfers.db', 'spool'].includes(file)) {
    const { items } = await panel.call('transfers.list', undefined)
    if (items.length === 0) it.lost.push(`${what}: the transfer`)
  }
  it.expect((await panel.end()) === 0, `${what}: the panel did not end in order.`)
}

async function serviceTry({ it, data, file, damage, kept }: Try): Promise<void> {
  const what = `service, ${file}, ${damage}`
  const at = path.join(data, file)
  const before = damage === 'from the future' ? readFileSync(at) : null
  let more: string[] = []
  for (;;) {
    const args = ['--data', data, '--port', '0', ...more]
    const program = it.stage.start('service', args, undefined, hashesOfHosts)
    const baseUrl = await program.says(/^Service: (\S+)$/m).catch((error: unknown) => {
      expectPlain(it, what, at, error)
      return null
    })
    if (baseUrl === null) {
      if (file !== 'servers') expectWorld(it, what, data, kept)
      if (before && !readFileSync(at).equals(before)) it.lost.push(`${what}: it was changed`)
      const restorable = file === 'service.db' && !['from the future', 'unreadable'].includes(damage)
      it.expect(
        !restorable || program.output.includes('--restore-backup'),
        `${what}: no way on: ${program.output}`,
      )
      if (!restorable || more.length > 0) return
      more = ['--restore-backup']
      continue
    }
    if (!(await listsServer(baseUrl, kept.serverId))) it.lost.push(`${what}: the account's server`)
    if (file !== 'servers') expectWorld(it, what, data, kept)
    const { code } = await program.end()
    it.expect(code === 0, `${what}: the service ended with ${code}.`)
    return
  }
}

/** The built-in service cannot read its database: the panel says so, and puts the copy back when it is told to. */
async function builtIn(it: Case, kept: Kept): Promise<void> {
  it.tried += 1
  const data = it.stage.at('panel with service')
  cpSync(kept.panel, data, { recursive: true })
  cpSync(kept.service, path.join(data, 'service'), { recursive: true })
  it.stage.own(data)
  strike(path.join(data, 'service', 'service.db'), 'garbage', it.chance)
  const panel = await Panel.start(it.stage, data)
  try {
    await panel.call('connections.this-computer', undefined)
    it.expect(false, 'The built-in service started without its database.')
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    it.expectSaid(error.problem, ['local-failed'])
    it.expect(error.problem.serviceCode === 'local.restorable', `It says ${error.problem.message}`)
  }
  const connection = await panel.call('connections.restore-this-computer', undefined)
  it.expect(connection.state.kind === 'ready', `After restoring it is ${connection.state.kind}.`)
  const notes = await panel.call('app.notes', undefined)
  it.expect(
    notes.some(({ text }) => text?.key === 'local.restored'),
    'Nobody is told of the restored copy.',
  )
  expectWorld(it, 'built in', path.join(data, 'service'), kept)
  await panel.end()
}

/** It ended by itself, with words for people that name the file. */
function expectPlain(it: Case, what: string, file: string, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  const [head = '', ...rest] = message.split('\n')
  // Node's own warnings, which people's way of starting turns off.
  const said = rest
    .filter((line) => !/^\((node:\d|Use )/.test(line))
    .join('\n')
    .trim()
  it.expect(!head.includes('fell silent'), `${what}: it hangs: ${message}`)
  it.expect(head.includes('"code":1'), `${what}: ${head}`)
  // The file itself, or what SQLite keeps beside it.
  it.expect(said.includes(file.replace(/-(wal|shm)$/, '')), `${what}: the file is not named: ${said}`)
  it.expect(!/^\s+at |Error:|\bE[A-Z]{4,}\b|undefined/m.test(said), `${what}: not for people: ${said}`)
  it.expect(/^[A-Z/][\s\S]*\.$/.test(said), `${what}: no sentence: ${said}`)
}

function expectWorld(it: Case, what: string, data: string, kept: Kept): void {
  const world = path.join(data, 'servers', kept.serverId, 'level.dat')
  if (!existsSync(world) || readFileSync(world, 'utf8') !== WORLD) it.lost.push(`${what}: the world`)
}

/** Whether the owner can sign in and finds the server. */
async function listsServer(baseUrl: string, serverId: string): Promise<boolean> {
  const signedIn = await fetch(`${baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(ACCOUNT),
  })
  if (!signedIn.ok) return false
  const { token } = (await signedIn.json()) as { token: string }
  const servers = await fetch(`${baseUrl}/servers`, { headers: { Authorization: `Bearer ${token}` } })
  const { items } = (await servers.json()) as { items: { id: string }[] }
  return items.some(({ id }) => id === serverId)
}
