import type { FoundServer } from '../../../contract/bridge/values.ts'
import type { LiveView } from '../../core/live-view.svelte.ts'
import { SoftwareChoice } from '../../catalog/software/software-choice.svelte.ts'
import { offeredFor, wishedFirst } from './found-server.ts'
import { OpenToChoice } from './open-to-choice.svelte.ts'

/** What somebody fills in of a server that was found. It is kept with it, also while its page is left. */
export class FoundFields {
  readonly found: FoundServer
  /** The page's own view of the catalog: each page brings one. */
  catalogue = $state.raw<LiveView<'software.list'>>() as LiveView<'software.list'>
  name = $state('')
  memoryMb: string = $state('')
  port: string = $state('')
  readonly choice: SoftwareChoice
  readonly openTo: OpenToChoice

  constructor(found: FoundServer, catalogue: LiveView<'software.list'>, name: string) {
    this.found = found
    this.catalogue = catalogue
    this.name = name
    this.memoryMb = String(found.memoryMb ?? 2048)
    this.port = String(found.freePort ?? found.port ?? '')
    this.openTo = new OpenToChoice(() => found.checksAccounts !== false)
    const items = () => this.catalogue.value?.items ?? []
    this.choice = new SoftwareChoice(() => offeredFor(found, items()), wishedFirst(found, items()))
  }
}
