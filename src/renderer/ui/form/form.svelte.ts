import { saidAt } from '../../core/problems.ts'
import { asProblem, type Problem } from '../../core/bridge.ts'
import type { Words } from '../../messages/t.svelte.ts'

/** State of a form. Errors for fields it does not have stay in the problem. */
export class Form<Field extends string> {
  #busy = $state(false)
  #errors = $state.raw<Partial<Record<Field, Words>>>({})
  #problem = $state.raw<Problem | null>(null)

  get busy(): boolean {
    return this.#busy
  }

  get problem(): Problem | null {
    return this.#problem
  }

  error(field: Field): string | null {
    return this.#errors[field]?.() ?? null
  }

  clear(): void {
    this.#errors = {}
    this.#problem = null
  }

  /** Returns the result of `send`, or null on an error, with the first invalid field focused. */
  async send<T>(checks: Record<Field, Words | null>, send: () => Promise<T>): Promise<T | null> {
    if (this.#busy) return null
    this.#problem = null
    this.#errors = Object.fromEntries(
      Object.entries(checks).filter(([, wrong]) => wrong !== null),
    ) as Partial<Record<Field, Words>>
    if (Object.keys(this.#errors).length > 0) {
      focusFirstWrong()
      return null
    }
    this.#busy = true
    try {
      return await send()
    } catch (thrown) {
      this.#take(asProblem(thrown), Object.keys(checks) as Field[])
      return null
    } finally {
      this.#busy = false
    }
  }

  #take(problem: Problem, fields: Field[]): void {
    const told = problem.fields ?? {}
    const errors: Partial<Record<Field, Words>> = {}
    for (const field of fields) if (saidAt(problem, field)) errors[field] = () => saidAt(problem, field) ?? ''
    this.#errors = errors
    const all = Object.keys(told)
    const shownAtFields = all.length > 0 && all.every((name) => name in errors)
    // Field names the service wants instead are no input error: keep the whole problem.
    this.#problem = shownAtFields && !problem.wanted ? null : problem
    if (shownAtFields) focusFirstWrong()
  }
}

function focusFirstWrong(): void {
  requestAnimationFrame(() => {
    // A modal form is last in the document.
    const forms = [...document.querySelectorAll('form')].reverse()
    for (const form of forms) {
      const wrong = form.querySelector<HTMLElement>('[aria-invalid="true"]')
      if (wrong) return wrong.focus()
    }
  })
}
