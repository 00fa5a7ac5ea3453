import { saidAt } from '../../core/problems.ts'
import { asProblem, type Problem } from '../../core/bridge.ts'
import type { Words } from '../../messages/t.svelte.ts'

/**
 * The state of a form: whether it is being sent, what is wrong at which field, and what else went wrong. Fields that the
 * form does not have are not lost: their messages are in the problem.
 */
export class Form<Field extends string> {
  #busy = $state(false)
  #errors = $state.raw<Partial<Record<Field, Words>>>({})
  #problem = $state.raw<Problem | null>(null)

  get busy(): boolean {
    return this.#busy
  }

  /** What went wrong that belongs to no field. */
  get problem(): Problem | null {
    return this.#problem
  }

  /** What is wrong at a field. */
  error(field: Field): string | null {
    return this.#errors[field]?.() ?? null
  }

  /** Forgets what was wrong. */
  clear(): void {
    this.#errors = {}
    this.#problem = null
  }

  /**
   * Checks the fields, then sends. `checks` holds per field what is wrong with it, or null. Answers what `send` answered,
   * or null where something was wrong; then the first field that is wrong gets the focus.
   */
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
    // What a service calls its fields is no fault of what stands in ours.
    this.#problem = shownAtFields && !problem.wanted ? null : problem
    if (shownAtFields) focusFirstWrong()
  }
}

/** After the errors are drawn. */
function focusFirstWrong(): void {
  requestAnimationFrame(() => {
    // A modal form lies last in the document.
    const forms = [...document.querySelectorAll('form')].reverse()
    for (const form of forms) {
      const wrong = form.querySelector<HTMLElement>('[aria-invalid="true"]')
      if (wrong) return wrong.focus()
    }
  })
}
