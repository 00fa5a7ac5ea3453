import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { PterodactylPanel } from '../../../tests/doubles/hosts/pterodactyl/panel.ts'
import type { Ports } from '../base/ports.ts'
import { memoryStore } from '../accounts/secret-store.ts'
import { openWindow, testPorts } from './panel.fixture.ts'
import { createPanel } from './panel.ts'

/** A panel, and a host beside it whose server has its files in a folder here. Both end with the test. */
export async function panelBeside<Host extends { close(): Promise<void> }>(
  open: (folder: string) => Promise<Host>,
  more: Partial<Ports> = {},
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'host-'))
  const [data, files] = [path.join(folder, 'data'), path.join(folder, 'server')]
  for (const made of [data, files]) mkdirSync(made)
  const host = await open(folder)
  const downloadsFolder = path.join(folder, 'Downloads')
  const ports: Ports = { ...testPorts(data), secrets: keeping(), downloadsFolder, ...more }
  const first = await openPanelOf(ports)
  let now = first
  onTestFinished(async () => {
    await now.panel.close()
    await host.close()
    rmSync(folder, { recursive: true })
  })
  return {
    ...{ ...first, host, files, folder, data, downloadsFolder },
    /** Answers how calls and views name the server. */
    async signIn(serverId: string, baseUrl: string, token: string) {
      const { id } = await first.call('connections.use-token', { baseUrl, token })
      return {
        ref: { connectionId: id, serverId },
        at: { connectionId: id, params: { serverId } },
      }
    },
    /** The panel ends and is started again. */
    async restart() {
      await now.panel.close()
      now = await openPanelOf(ports)
      return now
    },
  }
}

/** A panel that is signed in at a stand-in for Pterodactyl, or Pelican, with one server. */
export async function signedIn({
  isPelican = false,
  ...more
}: Partial<Ports> & { isPelican?: boolean } = {}) {
  const opened = await panelBeside(() => PterodactylPanel.open({ isPelican }), more)
  const { host, files, signIn } = opened
  const server = host.add(files)
  return { ...opened, server, ...(await signIn(server.uuid, host.base, host.key)) }
}
export type SignedIn = Awaited<ReturnType<typeof signedIn>>

/** A keychain that outlives the panel. */
export function keeping(): Ports['secrets'] {
  const tokens = memoryStore('')
  return {
    ...tokens,
    read: async (id) => {
      const read = await tokens.read(id)
      return read.kind === 'found' ? { ...read, kept: 'keychain' } : read
    },
    write: async (id, token) => {
      await tokens.write(id, token)
      return 'keychain'
    },
    close: () => undefined,
  }
}

export async function openPanelOf(ports: Ports) {
  const panel = await createPanel(ports)
  return { panel, ...openWindow(panel) }
}

const stamp = (at: number) => new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString().slice(11, 19)

/** Writes numbered lines as a server does: into its log file, and to whoever listens. */
export function writerOf({ host, server, files }: Pick<SignedIn, 'host' | 'server' | 'files'>) {
  const log = path.join(files, 'logs/latest.log')
  mkdirSync(path.dirname(log), { recursive: true })
  let at = 0
  /** `isDropped`: Wings is too slow for them, so that only the file has them. */
  return (count: number, isDropped = false) => {
    const lines = Array.from({ length: count }, () => [stamp(at), `line ${at++}`] as const)
    const text = lines.map(([time, line]) => `[${time}] [Server thread/INFO]: ${line}\n`).join('')
    writeFileSync(log, text, { flag: 'a' })
    if (!isDropped)
      host.wings.print(server.uuid, ...lines.map(([time, line]) => `\u001b[0m[${time} INFO]: ${line}`))
  }
}

interface Piece {
  kind: string
  batch?: { texts: string[] }
}

/** The numbers of lines, and `gap` where some are missing. */
export const numbersIn = (pieces: readonly unknown[]): (number | 'gap')[] =>
  (pieces as Piece[]).flatMap((piece): (number | 'gap')[] =>
    piece.kind === 'lines'
      ? piece.batch!.texts.map((text) => Number(/line (\d+)$/.exec(text)?.[1]))
      : ['gap'],
  )

/** What a window was sent of consoles. */
export const linesSent = ({ seen }: Pick<SignedIn, 'seen'>): (number | 'gap')[] =>
  seen.flatMap(({ event, value }) =>
    event === 'console' ? numbersIn((value as { pieces: unknown[] }).pieces) : [],
  )

export const upTo = (count: number) => Array.from({ length: count }, (_, at) => at)
