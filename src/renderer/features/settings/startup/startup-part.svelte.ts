import type { Startup, StartupVariable } from '../../../../contract/areas/hosting.ts'
import { asProblem, type Problem, send } from '../../../core/bridge.ts'
import { Draft } from '../../../core/draft.svelte.ts'
import { LiveView } from '../../../core/live-view.svelte.ts'
import { saidAt } from '../../../core/problems.ts'
import type { Section } from '../../../core/routes/route.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { t, type Words } from '../../../messages/t.svelte.ts'
import { changeReason } from '../parts/config.ts'
import {
  type ChangeRow,
  type SavedNotice,
  type SettingsPart,
  savedNotice,
} from '../parts/unsaved-settings.svelte.ts'
import { faultOf, nameOf, rulesOf } from './variable.ts'

/** Beside the keys of variables, which have no colon. */
export const IMAGE = ':image'

/** Variables and image that a server at a host starts with. */
export class StartupPart implements SettingsPart {
  readonly #server: ServerState
  readonly view: LiveView<'hosting.startup'>
  #problem = $state.raw<Problem | null>(null)
  /** Values that the host refused. */
  #refused = $state.raw<ReadonlyMap<string, string>>(new Map())
  readonly #byKey: ReadonlyMap<string, StartupVariable> = $derived.by(
    () => new Map((this.view.value?.variables ?? []).map((one) => [one.key, one])),
  )
  readonly #draft = new Draft<Record<string, string>>((key) => this.#saved(String(key)))

  constructor(server: ServerState) {
    const { connectionId, serverId } = server
    this.#server = server
    this.view = new LiveView('hosting.startup', { connectionId, params: { serverId } })
  }

  get images(): NonNullable<Startup['images']> {
    return this.view.value?.images ?? []
  }

  get dirty(): boolean {
    return this.#draft.dirty
  }

  get saving(): boolean {
    return this.#draft.saving
  }

  get conflicts() {
    return this.#draft.conflicts.map((one) => ({ ...one, key: String(one.key) }))
  }

  readonly wrong: ReadonlyMap<string, Words> = $derived.by(() => {
    const wrong = new Map<string, Words>()
    for (const [key, value] of this.#draft.changes) {
      const variable = this.#byKey.get(String(key))
      const fault = variable ? faultOf(rulesOf(variable), value) : null
      const isRefused = this.#refused.get(String(key)) === value
      if (fault) wrong.set(String(key), fault)
      else if (isRefused)
        wrong.set(String(key), () => (this.#problem && saidAt(this.#problem, String(key))) ?? '')
    }
    return wrong
  })

  /** Null where its fields say all of it. */
  get problem(): Problem | null {
    const fields = Object.keys(this.#problem?.fields ?? {})
    return fields.length > 0 && fields.every((key) => this.#byKey.has(key)) ? null : this.#problem
  }

  get rows(): ChangeRow[] {
    return [...this.#draft.changes].map(([key, value]) => ({
      label: this.label(String(key)),
      change: {
        before: this.said(this.#saved(String(key)), String(key)),
        after: this.said(value, String(key)),
      },
    }))
  }

  get reason(): string | null {
    const keys = [...this.#draft.changes.keys()]
    const [image, others] = [keys.includes(IMAGE), keys.some((key) => key !== IMAGE)]
    return changeReason(this.#server, [
      ...(image ? (['startup.image'] as const) : []),
      ...(others ? (['startup.write'] as const) : []),
    ])
  }

  get(key: string): string {
    return this.#draft.get(key) ?? ''
  }

  set(key: string, value: string): void {
    this.#draft.set(key, value)
  }

  error(key: string): string | null {
    return this.wrong.get(key)?.() ?? null
  }

  sectionOf(): Section {
    return 'startup'
  }

  label(key: string): string {
    const variable = this.#byKey.get(key)
    return key === IMAGE ? this.imageLabel : variable ? nameOf(variable) : key
  }

  /** Of the images for Minecraft, each has another Java. */
  get imageLabel(): string {
    const isJava =
      this.images.length > 0 && this.images.every(({ name, image }) => /java/i.test(name ?? image))
    return t(isJava ? 'startup.java' : 'startup.image')
  }

  said(value: unknown, key: string): string {
    const text = String(value)
    if (key === IMAGE) return this.images.find(({ image }) => image === text)?.name ?? text
    return text === '' ? t('startup.empty') : text
  }

  resolve(key: string, whose: 'mine' | 'theirs'): void {
    this.#draft.resolve(key, whose)
  }

  discard(): void {
    this.#draft.discard()
    this.#problem = null
  }

  async save(): Promise<SavedNotice | null> {
    if (this.saving || this.wrong.size > 0 || this.conflicts.length > 0) return null
    this.#problem = null
    const sent = new Map([...this.#draft.changes].map(([key, value]) => [String(key), value]))
    try {
      await this.#draft.save(() => this.#send(sent))
      return savedNotice(this.#server, this.#server.isRunning)
    } catch (thrown) {
      this.#problem = asProblem(thrown)
      const refused = Object.keys(this.#problem.fields ?? {})
      this.#refused = new Map([...sent].filter(([key]) => refused.includes(key)))
      // The others may have been saved.
      await this.view.again()
      return null
    }
  }

  async #send(changes: ReadonlyMap<string, string>): Promise<void> {
    const { connectionId, serverId } = this.#server
    const at = { connectionId, params: { serverId } }
    const image = changes.get(IMAGE)
    if (image !== undefined) await send('hosting.choose-image', { ...at, body: { image } })
    const values = [...changes].filter(([key]) => key !== IMAGE).map(([key, value]) => ({ key, value }))
    if (values.length > 0) await send('hosting.change-startup', { ...at, body: { values } })
    await this.view.again()
  }

  #saved(key: string): string {
    return (key === IMAGE ? this.view.value?.image : this.#byKey.get(key)?.value) ?? ''
  }
}
