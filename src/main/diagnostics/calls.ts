import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { arch, availableParallelism, homedir, hostname, release, totalmem, userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { localized } from '../../contract/messages/localized-text.ts'
import type { Connections } from '../accounts/connections.ts'
import { problem } from '../base/problem.ts'
import type { AreaHandlers } from '../bridge/handlers.ts'
import type { ChoicesStore } from '../desktop/choices.ts'
import type { DriftReports } from '../drift/drift-reports.ts'
import type { StartupNotices } from '../base/startup-notices.ts'
import type { Ports } from '../base/ports.ts'
import type { SettingsStore } from '../databases/settings.ts'
import type { ServerTable } from '../views/server-table.ts'
import type { TransferManager } from '../transfers/transfers.ts'
import type { Updates } from '../updates/updates.ts'
import { bundle, type ConnectionFacts, type Facts } from './bundle.ts'
import { Cleaner } from './cleaner.ts'
import { crashDumps } from './crash-dumps.ts'
import { toldEntry, lastLines } from './log-entries.ts'

export interface DiagnosticsDependencies {
  ports: Ports
  settings: SettingsStore
  choices: ChoicesStore
  notes: StartupNotices
  updates: Updates
  connections: Connections
  servers: ServerTable
  driftReports: DriftReports
  transfers: Pick<TransferManager, 'list' | 'saveHere'>
}

const ENTRIES_MOST = 200
const KEPT_MOST = 4

export function diagnosticsHandlers(rooms: DiagnosticsDependencies): AreaHandlers<'diagnostics'> {
  const shown = new Map<string, string>()
  return {
    async 'diagnostics.read'({ hosts }) {
      const cleaner = new Cleaner({ connections: rooms.connections.list(), names: ownNames(), hosts })
      const facts = await factsOf(rooms, cleaner)
      const [id, text] = [randomUUID(), bundle(facts, cleaner, hosts)]
      shown.set(id, text)
      for (const old of [...shown.keys()].slice(0, -KEPT_MOST)) shown.delete(old)
      return { id, text, crashes: facts.dumps?.length ?? null }
    },
    async 'diagnostics.save'({ id }) {
      const text = shown.get(id)
      if (text === undefined) throw problem('not-found', localized('diagnostics.gone'))
      return { path: await rooms.transfers.saveHere('wheelhouse-diagnostics.txt', text) }
    },
  }
}

async function factsOf(rooms: DiagnosticsDependencies, cleaner: Cleaner): Promise<Facts> {
  const { ports, settings, choices, notes, updates, connections, transfers } = rooms
  const logs = ['panel.log.1', 'panel.log'].map((name) => join(ports.dataDir, 'logs', name))
  const telling = { cleaner, programFiles: programFiles() }
  const [lines, settingsNow, choicesNow, updatesNow, transfersNow, dumps, connectionsNow] = await Promise.all(
    [
      lastLines(logs, ENTRIES_MOST),
      settings.read(),
      choices.read(),
      updates.read(),
      transfers.list(),
      ports.crashFolder === undefined ? null : crashDumps(ports.crashFolder),
      Promise.all(connections.list().map((connection) => connectionFacts(connection, rooms))),
    ],
  )
  return {
    now: ports.now(),
    version: ports.version,
    way: ports.way,
    local: ports.local.kind,
    keychain: ports.secrets.status().kind,
    system: {
      ...{ platform: process.platform, arch: arch(), release: release() },
      ...{ cores: availableParallelism(), memoryBytes: totalmem() },
    },
    programs: process.versions,
    ...{ settings: settingsNow, choices: choicesNow, updates: updatesNow, connections: connectionsNow },
    transfers: countsOf(transfersNow.items.map(({ state }) => state)),
    notes: notes.list().length,
    dumps,
    entries: lines.flatMap((line) => toldEntry(line, telling) ?? []),
  }
}

async function connectionFacts(
  connection: ConnectionFacts['connection'],
  { servers, driftReports, connections }: DiagnosticsDependencies,
): Promise<ConnectionFacts> {
  const { id: connectionId, baseUrl } = connection
  const states = servers.listed(connectionId).map((serverId) => {
    const status = servers.status({ connectionId, serverId })?.status
    return typeof status === 'string' ? status : 'unknown'
  })
  return {
    connection,
    servers: countsOf(states),
    drifts: (await driftReports.read(connectionId)).length,
    profile: connections.profiles.of(baseUrl) !== null,
  }
}

function countsOf(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

function ownNames(): string[] {
  const names = [hostname(), homedir(), basename(homedir())]
  try {
    names.push(userInfo().username)
  } catch {
    // A user without a passwd entry has no name.
  }
  return names
}

function programFiles(): Set<string> {
  const folder = dirname(fileURLToPath(import.meta.url))
  return new Set(readdirSync(folder).filter((name) => /\.[jt]s$/.test(name)))
}
