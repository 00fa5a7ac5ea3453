import { BuildChoice } from '../../catalog/software/build-choice.svelte.ts'
import { type OfferedSoftware, SoftwareChoice } from '../../catalog/software/software-choice.svelte.ts'
import { memoryCheck, nameCheck } from '../../core/checks.ts'
import { send } from '../../core/bridge.ts'
import { panel, memoryAt } from '../../core/panel.svelte.ts'
import { t } from '../../messages/t.svelte.ts'
import { Form } from '../../ui/form/form.svelte.ts'
import { arrival } from './arrive.svelte.ts'
import { freeName } from './found-server.ts'
import { OpenToChoice } from './found-fields.svelte.ts'

type Field = 'name' | 'software' | 'version' | 'software.build' | 'memoryMb' | 'acceptLicense'

/** What is filled in for a new server; it survives looking at the other ways. */
export class NewServerDraft {
  readonly connectionId: string
  readonly form = new Form<Field>()
  name = $state('')
  #memoryMb = $state<string | null>(null)
  readonly choice: SoftwareChoice
  readonly builds: BuildChoice
  readonly openTo: OpenToChoice
  /** Whether *More options* is open. */
  more = $state(false)

  constructor(connectionId: string, items: () => readonly OfferedSoftware[]) {
    this.connectionId = connectionId
    this.name = freeName(panel.servers(connectionId).value?.items ?? [])
    this.choice = new SoftwareChoice(items)
    this.builds = new BuildChoice(connectionId)
    this.openTo = new OpenToChoice(() => this.checksAccounts)
  }

  get memoryMb(): string {
    return this.#memoryMb ?? memoryAt(this.connectionId, 2048)
  }

  set memoryMb(memoryMb: string) {
    this.#memoryMb = memoryMb
  }

  get checksAccounts(): boolean {
    return this.choice.license !== null || this.choice.software?.proxy === true
  }

  async create(starts: boolean): Promise<void> {
    const { connectionId, form, choice, builds } = this
    const { software, version, license } = choice
    if (!software || !version) return
    const name = this.name.trim()
    const chosen = { id: software.id, version: version.id, ...(builds.chosen && { build: builds.chosen }) }
    const isLocal = panel.connection(connectionId)?.kind === 'local'
    const arrive = arrival(connectionId, name)
    const sent = await form.send(
      {
        name: nameCheck(name),
        software: null,
        version: null,
        'software.build': null,
        memoryMb: memoryCheck(this.memoryMb),
        acceptLicense: license && !choice.accepts ? () => t('create.license-missing') : null,
      },
      async () => ({
        server: await send('servers.create', {
          connectionId,
          body: {
            name,
            software: chosen,
            memoryMb: Number(this.memoryMb),
            ...(isLocal && { openTo: this.openTo.value }),
            ...(license && { acceptLicense: true }),
          },
        }),
      }),
    )
    if (sent) await arrive(sent.server, starts)
    else if (form.error('memoryMb') || form.error('software.build')) this.more = true
  }
}
