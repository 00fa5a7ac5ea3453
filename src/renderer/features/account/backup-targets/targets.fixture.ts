import type { BackupTarget, TargetBackup } from '../../../../contract/areas/backup-targets.ts'
import type { Connection, View } from '../../../../contract/bridge/values.ts'
import '../../../app/theme.css'
import type { Problem, ProblemData } from '../../../core/bridge.ts'
import { panel } from '../../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../../core/scripted-bridge.fixture.ts'

export const local: Connection = {
  ...{ id: 'local', kind: 'local', name: 'This computer', baseUrl: 'http://127.0.0.1:1/api/v1', user: null },
  ...{ tokenKept: 'memory', expiresAt: null, state: { kind: 'ready' } },
}

const fresh = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})
const list = <T>(items: readonly T[]) => fresh({ items: [...items], leftOut: [], more: false as const })

export const failing = (problem: Partial<Problem> & Pick<ProblemData, 'code'>) => ({
  ok: false as const,
  problem: { message: '', retryable: false, ...problem } as ProblemData,
})
export const unread = (problem: Pick<ProblemData, 'code'>): { ok: true; value: View<never> } => ({
  ok: true,
  value: { value: null, asOf: null, stale: true, problem: { message: '', retryable: false, ...problem } },
})

export const disk: BackupTarget = {
  ...{ id: 'd', name: 'Second disk', kind: 'folder', location: '/mnt/disk' },
  ...{ reachedAt: new Date().toISOString(), freeBytes: 500 * 1024 ** 3 },
}
export const box: BackupTarget = { id: 'b', name: 'Box', kind: 'sftp', location: 'u1@box.example' }

/** This computer, with places for backups. */
export class TargetsMain extends ScriptedBridge {
  targets: BackupTarget[] = []
  there: TargetBackup[] = []
  password = 'correct horse battery staple'

  constructor() {
    super({
      'view servers.list': () => list([{ id: 'new', name: 'Meadow' }]),
      'view backups.targets': () => list(this.targets),
      'view backups.at-target': () => list(this.there),
      'backups.add-target': ({ name }) => {
        const target = { ...box, id: 'n', name }
        this.targets = [...this.targets, target]
        return { ok: true, value: { target, password: this.password } }
      },
      'backups.change-target': () => ({ ok: true, value: box }),
      'backups.save-password': () => ({
        ok: true,
        value: { path: '/home/ann/Downloads/backup-password-Box.txt' },
      }),
      'send backups.check-target': () => ({ ok: true, value: disk }),
      'send backups.remove-target': () => {
        this.targets = []
        return { ok: true, value: undefined }
      },
      'send backups.bring-back-from': () => ({ ok: true, value: { serverId: 'new' } }),
    })
    window.panel = this
    panel.take(local)
  }

  sent(name: string): unknown[] {
    return this.called.filter((one) => one.name === name).map(({ input }) => input)
  }
}
