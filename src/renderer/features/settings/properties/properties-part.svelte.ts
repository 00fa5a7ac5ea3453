import type { Section } from '../../../core/routes/route.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { t } from '../../../messages/t.svelte.ts'
import { configOf, changeReason } from '../parts/config.ts'
import { DraftPart } from '../parts/draft-part.ts'
import {
  type ChangeRow,
  type SavedNotice,
  type SettingsPart,
  savedNotice,
} from '../parts/unsaved-settings.svelte.ts'
import { inWords, labelOf } from './property.ts'
import { PropertyDraft } from './property-draft.svelte.ts'

/** The game's settings and the text of their file. */
export class PropertiesPart extends DraftPart<PropertyDraft> implements SettingsPart {
  readonly #server: ServerState

  constructor(server: ServerState) {
    super(new PropertyDraft(server, configOf(server)))
    this.#server = server
  }

  get reason(): string | null {
    return changeReason(this.#server, this.draft.textAlone ? ['files.write'] : ['config.write'])
  }

  get rows(): ChangeRow[] {
    const rows = [...this.draft.edits].map(([key, value]) => ({
      label: labelOf(key),
      change: { before: this.said(this.draft.savedValue(key), key), after: this.said(value, key) },
    }))
    return this.draft.textAlone ? [...rows, { label: t('properties.summary-file'), change: null }] : rows
  }

  sectionOf(): Section {
    return 'properties'
  }

  label(key: string): string {
    return labelOf(key)
  }

  /** Without a value, the default applies. */
  said(value: string | null, key: string): string {
    const property = this.draft.property(key)
    const applies = value ?? property?.fallback ?? null
    return applies === null ? t('properties.default-applies') : inWords(property ?? { type: 'text' }, applies)
  }

  async save(): Promise<SavedNotice | null> {
    const runs = this.#server.isRunning
    if (!(await this.draft.save())) return null
    // Next to a later conflict, it would look as if that were saved.
    return savedNotice(this.#server, runs, () => this.draft.conflicts.length === 0)
  }
}
