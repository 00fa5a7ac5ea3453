import { SECOND_FACTOR_ASKED } from '../../../contract/rules/sign-in.ts'
import { asProblem } from '../../core/bridge.ts'
import { needed } from '../../core/checks.ts'
import type { Words } from '../../messages/t.svelte.ts'

/** A second-factor code, requested only when the service asks for it. */
export class SecondFactorPrompt {
  #asked = $state(false)
  value = $state('')

  get asked(): boolean {
    return this.#asked
  }

  get wrong(): Words | null {
    return this.#asked ? needed(this.value) : null
  }

  /** Runs `work` with the code, if asked for. Returns null and asks if the service now requires one. */
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
