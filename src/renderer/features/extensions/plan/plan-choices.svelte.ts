import { PLAN_CHOICES_MOST } from '../../../../contract/rules/plan-choices.ts'

/** What somebody chose in the plan of all updates: what is left out, and which versions are wanted instead. */
export class PlanChoices {
  #except = $state.raw<ReadonlySet<string>>(new Set())
  #versions = $state.raw<ReadonlyMap<string, string>>(new Map())

  /** Whether one is to be updated, by its id. */
  includes(id: string): boolean {
    return !this.#except.has(id)
  }

  /** The version that is wanted of one; null: the newest that fits. */
  versionOf(id: string): string | null {
    return this.#versions.get(id) ?? null
  }

  /** Answers whether that was possible: a plan can be asked for with so many choices alone. */
  include(id: string, included: boolean): boolean {
    const except = new Set(this.#except)
    if (included) except.delete(id)
    else except.add(id)
    if (isTooLong([...except])) return false
    this.#except = except
    return true
  }

  /** The same of a version; null: the newest again. */
  choose(id: string, version: string | null): boolean {
    const versions = new Map(this.#versions)
    if (version === null) versions.delete(id)
    else versions.set(id, version)
    if (isTooLong([...versions.values()])) return false
    this.#versions = versions
    return this.include(id, true)
  }

  /** How a plan is asked for with this. */
  get query(): { except?: string; versions?: string } {
    const [except, versions] = [[...this.#except].join(','), [...this.#versions.values()].join(',')]
    return { ...(except !== '' && { except }), ...(versions !== '' && { versions }) }
  }
}

const isTooLong = (all: readonly string[]): boolean => all.join(',').length > PLAN_CHOICES_MOST
