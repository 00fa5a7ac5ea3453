import type { FoundServer } from '../../../contract/bridge/values.ts'
import type { LiveView } from '../../core/live-view.svelte.ts'
import { SoftwareChoice } from '../../catalog/software/software-choice.svelte.ts'
import { offeredFor, wishedFirst } from './found-server.ts'

type OpenTo = 'computer' | 'network'

export class OpenToChoice {
  #chosen = $state<OpenTo | null>(null)
  readonly #asks: () => boolean

  /** @param asks whether the server checks accounts, which decides the default */
  constructor(asks: () => boolean) {
    this.#asks = asks
  }

  get value(): OpenTo {
    return this.#chosen ?? (this.#asks() ? 'network' : 'computer')
  }

  set value(openTo: OpenTo) {
    this.#chosen = openTo
  }
}

export class ImportForm {
  readonly found: FoundServer
  /** Each mounted page brings its own view of the catalog. */
  catalog = $state.raw<LiveView<'software.list'>>() as LiveView<'software.list'>
  name = $state('')
  memoryMb: string = $state('')
  port: string = $state('')
  readonly choice: SoftwareChoice
  readonly openTo: OpenToChoice

  /** @param most MiB that it can have; null if unknown */
  constructor(found: FoundServer, catalog: LiveView<'software.list'>, name: string, most: number | null) {
    this.found = found
    this.catalog = catalog
    this.name = name
    this.memoryMb = String(Math.min(found.memoryMb ?? 2048, most ?? Infinity))
    this.port = String(found.freePort ?? found.port ?? '')
    this.openTo = new OpenToChoice(() => found.checksAccounts !== false)
    const items = () => this.catalog.value?.items ?? []
    this.choice = new SoftwareChoice(() => offeredFor(found, items()), wishedFirst(found, items()))
  }
}
