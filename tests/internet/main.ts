/**
 * npm run try:internet [-- --only KIND,…] [--catalogs FILE] [--without-player]: downloads real server software with the Java
 * it needs, starts each, lets a player join, stops it, and prints a table. It needs the internet, and accepts Minecraft's EULA.
 */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ownRunFolder } from '../../build/scripts/run-folder.js'
import { CatalogSettings } from '../../src/service/software/catalogs/settings.ts'
import { Host } from '../faults/host.ts'
import { Servers } from '../faults/servers.ts'
import { Stage } from '../faults/stage.ts'
import { joinAndLeave, playable } from './player.ts'

const KINDS = ['paper', 'fabric', 'neoforge', 'vanilla']
const MINUTE = 60_000

interface Version {
  id: string
  channel?: string
  recommended?: boolean
}

/** What became of one kind. Times in seconds; null where it did not come to that. */
interface Tried {
  kind: string
  version: string
  java: string
  installed: number | null
  started: number | null
  joined: string
  stopped: boolean
  problem: string
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: KINDS.join(',') },
    catalogs: { type: 'string' },
    'without-player': { type: 'boolean', default: false },
  },
})
ownRunFolder()
const kinds = values.only.split(',')
const settings = CatalogSettings.parse(
  values.catalogs === undefined ? {} : JSON.parse(await readFile(values.catalogs, 'utf8')),
)
const stage = await Stage.open()
const rows: Tried[] = []
try {
  const servers = await Servers.of(await Host.start(stage, { catalogs: settings }))
  for (const kind of kinds) {
    process.stderr.write(`${kind}\n`)
    rows.push(await tryKind(servers, kind))
  }
} finally {
  await stage.close()
}
process.stdout.write(`${table(rows)}\n`)
const good = rows.filter(({ problem }) => problem === '').length
process.stdout.write(`${kinds.length} tried, ${good} ran\n`)
process.exitCode = good === kinds.length ? 0 : 1

/** Creates, starts and stops one server. Whatever fails is told in its row. */
async function tryKind(servers: Servers, kind: string): Promise<Tried> {
  const row: Tried = {
    ...{ kind, version: '', java: '', installed: null, started: null },
    ...{ joined: values['without-player'] ? 'not tried' : 'no', stopped: false, problem: '' },
  }
  try {
    row.version = await versionFor(servers, kind)
    const began = performance.now()
    const id = await servers.create({ software: kind, version: row.version, memoryMb: 2048 })
    await servers.until(id, ['offline'], 20 * MINUTE)
    row.installed = (performance.now() - began) / 1000
    const java = (await servers.said(id)).find((line) => /^Java \d+ is not on this computer/.test(line))
    row.java = java ? 'downloaded' : 'was here'
    // The player has no account at Microsoft.
    await writeFile(path.join(servers.folderOf(id), 'server.properties'), 'online-mode=false\n')
    await runIt(servers, id, row)
  } catch (error) {
    row.problem = error instanceof Error ? error.message : String(error)
  }
  return row
}

async function runIt(servers: Servers, id: string, row: Tried): Promise<void> {
  const began = performance.now()
  await servers.power(id, 'start')
  const reached = await servers.until(id, ['online', 'crashed'], 15 * MINUTE)
  if (reached !== 'online') throw new Error((await servers.said(id)).slice(-3).join(' / '))
  row.started = (performance.now() - began) / 1000
  try {
    if (!values['without-player']) {
      await joinAndLeave(await portOf(servers, id), row.version)
      row.joined = 'joined'
    }
  } finally {
    await servers.power(id, 'stop')
    row.stopped = (await servers.until(id, ['offline', 'crashed'], 2 * MINUTE)) === 'offline'
  }
  if (!row.stopped) throw new Error('It crashed instead of stopping.')
}

/** The newest release that the player can join, else the one people are offered first. */
async function versionFor(servers: Servers, kind: string): Promise<string> {
  const answer = (await servers.ask('GET', `/software/${kind}/versions`)) as { items: Version[] }
  const releases = answer.items.filter(({ channel }) => channel === undefined || channel === 'release')
  const all = releases.length > 0 ? releases : answer.items
  const best = all.find(({ id }) => playable(id)) ?? all.find(({ recommended }) => recommended) ?? all[0]
  if (!best) throw new Error('Its catalog offers no version.')
  return best.id
}

async function portOf(servers: Servers, id: string): Promise<number> {
  const { address } = (await servers.ask('GET', `/servers/${id}`)) as { address: { port: number } }
  return address.port
}

function table(tried: readonly Tried[]): string {
  const seconds = (time: number | null) => (time === null ? '–' : `${time.toFixed(1)} s`)
  const cells = [
    ['kind', 'version', 'Java', 'installed', 'started', 'player', 'stopped', 'problem'],
    ...tried.map(({ kind, version, java, installed, started, joined, stopped, problem }) => [
      ...[kind, version, java, seconds(installed), seconds(started)],
      ...[joined, stopped ? 'yes' : 'no', problem],
    ]),
  ]
  const widths = cells[0]!.map((_, at) => Math.max(...cells.map((row) => row[at]!.length)))
  return cells.map((row) => row.map((cell, at) => cell.padEnd(widths[at]!)).join('  ').trimEnd()).join('\n') // prettier-ignore
}
