import type { Section } from '../../../core/routes/route.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { t } from '../../../messages/t.svelte.ts'
import { DraftPart } from '../parts/draft-part.ts'
import { changeReason } from '../parts/config.ts'
import type { ChangeRow, SavedNotice, SettingsPart } from '../parts/unsaved-settings.svelte.ts'
import { noteOld, oldSettings } from './old-settings.svelte.ts'
import { ProxyDraft } from './proxy-draft.svelte.ts'
import { nameIn, type Value } from './velocity-text.ts'

/** The settings of Velocity. */
export class ProxyPart extends DraftPart<ProxyDraft> implements SettingsPart {
  readonly #server: ServerState

  constructor(server: ServerState) {
    super(new ProxyDraft(server))
    this.#server = server
  }

  get reason(): string | null {
    return changeReason(this.#server, ['files.read', 'files.write'])
  }

  get rows(): ChangeRow[] {
    return [...this.draft.changes].map(([key, value]) => ({
      label: this.label(key),
      change: { before: this.#before(key), after: this.said(value) },
    }))
  }

  sectionOf(): Section {
    return 'proxy'
  }

  label(key: string): string {
    if (key === 'mode') return t('proxy.forwarding')
    if (key === 'try') return t('proxy.order')
    return nameIn(key, 'server') ?? nameIn(key, 'host') ?? key
  }

  said(value: Value | null): string {
    if (value === null) return t('proxy.removed')
    const text = typeof value === 'string' ? value : value.join(', ')
    return text === '' ? t('settings.empty') : text
  }

  #before(key: string): string {
    const value = this.draft.savedValue(key)
    return value === null ? t('settings.empty') : this.said(value)
  }

  async save(): Promise<SavedNotice | null> {
    const server = this.#server
    const before = server.kind
    if (!(await this.draft.save())) return null
    const { kind } = server
    const ref = { connectionId: server.connectionId, serverId: server.serverId }
    const runs = kind === 'online' || kind === 'starting'
    // A starting proxy may have read either version.
    const isSure = before === 'online' && kind === 'online'
    if (runs) noteOld(server, isSure)
    const told = !runs ? 'proxy.saved' : isSure ? 'proxy.saved-runs' : 'proxy.saved-starting'
    return {
      text: () => t(told),
      isLater: runs,
      // After a reload the notice would be wrong.
      holds: runs ? () => oldSettings(ref) !== undefined : undefined,
    }
  }
}
