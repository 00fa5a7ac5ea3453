import { SECOND_FACTOR_ASKED } from '../../../contract/rules/second-factor.ts'
import { asProblem } from '../../core/bridge.ts'
import { needed } from '../../core/checks.ts'
import type { Words } from '../../messages/t.svelte.ts'

/** The code of a second factor, for which nobody is asked before the service wants it. */
export class AskedCode {
  #asked = $state(false)
  value = $state('')

  get asked(): boolean {
    return this.#asked
  }

  /** What is wrong with it, or null. */
  get wrong(): Words | null {
    return this.#asked ? needed(this.value) : null
  }

  /** Does something with the code, where it was asked for. Where the service wants it now, answers null and asks. */
  async during<T>(work: (code: string | undefined) => Promise<T>): Promise<T | null> {
    try {
      return await work(this.#asked ? this.value.trim() : undefined)
    } catch (thrown) {
      if (this.#asked || asProblem(thrown).serviceCode !== SECOND_FACTOR_ASKED) throw thrown
      this.#asked = true
      return null
    }
  }
}
