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
