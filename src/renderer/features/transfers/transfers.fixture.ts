import { beforeEach } from 'vitest'
import { page } from 'vitest/browser'
import type { Transfer, TransferItem, Transfers as All } from '../../../contract/bridge/transfer-values.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { dismiss, notices } from '../../ui/feedback/notices.svelte.ts'
import { transfers } from './transfers.svelte.ts'

export const MIB = 1024 * 1024
/** What main answers: all transfers, the files of the one that is unfolded, and the way there. */
export const at = { all: {} as All, items: [] as TransferItem[], way: new ScriptedBridge({}) }

export const transfer = (id: string, change: Partial<Transfer> = {}): Transfer => ({
  id,
  kind: 'upload',
  state: 'running',
  name: id,
  others: 0,
  server: { connectionId: 'c', serverId: 's' },
  from: null,
  folder: 'plugins',
  files: 1,
  filesDone: 0,
  filesFailed: 0,
  filesSkipped: 0,
  bytes: 10 * MIB,
  bytesDone: 0,
  rate: null,
  secondsLeft: null,
  problem: null,
  asking: null,
  createdAt: '2026-01-01T00:00:00Z',
  endedAt: null,
  ...change,
})
export const ok = { ok: true as const, value: undefined }
const unknown = { ok: false as const, problem: { code: 'offline', message: '', retryable: true } as const }
const panelAnswers = {
  'connections.list': () => unknown,
  'settings.read': () => unknown,
  'app.info': () => unknown,
}

beforeEach(() => {
  transfers.hide()
  for (const notice of notices()) dismiss(notice.id)
  at.all = { items: [], limit: null, atOnce: 2 }
  at.items = []
  at.way = new ScriptedBridge({
    'transfers.list': () => ({ ok: true, value: at.all }),
    'transfers.items': ({ only, offset, limit }) => {
      const fitting = at.items.filter((item) => only === 'all' || item.state === 'failed')
      return { ok: true, value: { items: fitting.slice(offset, offset + limit), total: fitting.length } }
    },
    'transfers.pause': () => ok,
    'transfers.resume': () => ok,
    'transfers.cancel': () => ok,
    'transfers.retry': () => ok,
    'transfers.reorder': () => ok,
    'transfers.answer': () => ok,
    'transfers.clear': () => ok,
    ...panelAnswers,
  })
  window.panel = at.way
})

export const button = (name: string) => page.getByRole('button', { name, exact: true })
export const row = (name: string) => page.getByRole('listitem', { name, exact: true })
export const asked = (name: string) =>
  at.way.called.filter((one) => one.name === name).map((one) => one.input)
/** Main tells how all transfers stand now. */
export function tell(...now: Transfer[]): void {
  at.all = { ...at.all, items: now }
  at.way.send('transfers', at.all)
}
