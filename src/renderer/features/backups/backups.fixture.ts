import { page } from 'vitest/browser'
import { expect } from 'vitest'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import type { Backup, BackupSettings } from '../../../contract/areas/backups.ts'
import type { Connection, FileEntry, Player, Server, View } from '../../../contract/bridge/values.ts'
import { parseRoute, useTabs } from '../../core/routes/route.ts'
import { route } from '../../core/routes/router.svelte.ts'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import Backups from './Backups.svelte'

const MIB = 1024 * 1024
const DAY = 24 * 60 * 60 * 1000
const noon = (ago: number) => {
  const at = new Date(Date.now() - ago * DAY)
  at.setHours(6, 4, 0, 0)
  return at.toISOString()
}

export const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})
export const items = <T>(list: readonly T[]) => shown({ items: [...list], leftOut: [], more: false as const })

export const backupOf = (id: string, ago: number, more: Partial<Backup> = {}): Backup => ({
  ...{ id, cause: 'manual', state: 'done', createdAt: noon(ago), bytes: 30 * MIB, addedBytes: 2 * MIB },
  ...more,
})

/** One server with backups, as a service has it. */
export class BackupsMain extends ScriptedBridge {
  backups: Backup[] = []
  server: Server = { id: 's', name: 'Meadow', role: 'owner', status: 'offline' }
  settings: BackupSettings = {
    ...{ engine: 'archive', resticReady: false, exclude: ['logs'] },
    keep: { last: 3, hourly: 0, daily: 7, weekly: 4, monthly: 0 },
    ...{ usedBytes: 120 * MIB, freeBytes: 70_500 * MIB },
  }
  players: Player[] = []
  /** Folders of every backup, by their paths. */
  folders: Record<string, FileEntry[]> = {}
  texts: Record<string, string> = {}

  constructor() {
    super({
      'view servers.read': () => shown(this.server),
      'view servers.list': () => items([this.server]),
      'view servers.status': () => shown({ status: this.server.status ?? 'offline' }),
      'view backups.list': () => items(this.backups),
      'view backups.settings': () => shown(this.settings),
      'view players.list': () => items(this.players),
      'view backups.files': ({ query }) => items(this.folders[query?.path ?? ''] ?? []),
      'files.read-page': ({ path }) => {
        const text = this.texts[path] ?? ''
        return { ok: true, value: { offset: 0, size: text.length, bytes: btoa(text) } }
      },
      'transfers.download': () => ({ ok: true, value: { transferId: 't' } }),
      'send backups.create': ({ body }) => {
        const made = backupOf('new', 0, { state: 'running', name: body.name ?? null })
        this.backups = [made, ...this.backups]
        return { ok: true, value: made }
      },
      'send backups.cancel': () => ({ ok: true, value: undefined }),
      'send backups.change': () => ({ ok: true, value: backupOf('a', 0) }),
      'send backups.remove': () => ({ ok: true, value: undefined }),
      'send backups.try': () => ({ ok: true, value: { accepted: true } }),
      'send backups.change-settings': () => ({ ok: true, value: this.settings }),
      'send backups.restore': () => ({ ok: true, value: { accepted: true } }),
      'send servers.power': () => ({ ok: true, value: { accepted: true } }),
    })
  }

  /** As main tells every window after a write. */
  tell(): void {
    const { value: now } = items(this.backups)
    this.send('view', { view: 'backups.list', connectionId: 'c', params: { serverId: 's' }, now } as never)
  }

  sent(name: string): unknown[] {
    return this.called.filter((one) => one.name === name).map(({ input }) => input)
  }
}

export const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}

export const AT = '#/c/c/s/s/settings/backups'
useTabs(['settings', 'overview', 'console'], ['backups'])
const room = document.createElement('style')
room.textContent = 'body > div { height: 600px }'
document.head.append(room)

/** Shows the section at an address. */
export async function open(main: BackupsMain, address = AT) {
  window.panel = main
  panel.take(connection)
  location.hash = address
  await expect.poll(() => route()).toEqual(parseRoute(address))
  await panel.servers('c').again()
  return render(Backups, { server: new ServerState('c', 's') })
}

export const row = (name: RegExp) => page.getByRole('row', { name })
export const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
export const dialog = () => page.getByRole('dialog')
/** Chooses from a row's menu. */
export async function choose(rowName: RegExp, item: string): Promise<void> {
  await row(rowName)
    .getByRole('button', { name: /^Actions for the backup/ })
    .click()
  await page.getByRole('menuitem', { name: item }).click()
}
