type OpenTo = 'computer' | 'network'

/** Who can connect to a server that is being created. */
export class OpenToChoice {
  #chosen = $state<OpenTo | null>(null)
  readonly #asks: () => boolean

  /** @param asks whether who joins is asked who they are; what nobody has chosen follows that. */
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
