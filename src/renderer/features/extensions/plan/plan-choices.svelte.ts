import { PLAN_CHOICES_MOST } from '../../../../contract/rules/extensions.ts'

export class PlanChoices {
  #except = $state.raw<ReadonlySet<string>>(new Set())
  #versions = $state.raw<ReadonlyMap<string, string>>(new Map())

  includes(id: string): boolean {
    return !this.#except.has(id)
  }

  /** Null means the newest that fits. */
  versionOf(id: string): string | null {
    return this.#versions.get(id) ?? null
  }

  /** Returns false beyond the number of choices a request can hold. */
  include(id: string, included: boolean): boolean {
    const except = new Set(this.#except)
    if (included) except.delete(id)
    else except.add(id)
    if (isTooLong([...except])) return false
    this.#except = except
    return true
  }

  /** Like `include`, for a version; null for the newest. */
  choose(id: string, version: string | null): boolean {
    const versions = new Map(this.#versions)
    if (version === null) versions.delete(id)
    else versions.set(id, version)
    if (isTooLong([...versions.values()])) return false
    this.#versions = versions
    return this.include(id, true)
  }

  get query(): { except?: string; versions?: string } {
    const [except, versions] = [[...this.#except].join(','), [...this.#versions.values()].join(',')]
    return { ...(except !== '' && { except }), ...(versions !== '' && { versions }) }
  }
}

const isTooLong = (all: readonly string[]): boolean => all.join(',').length > PLAN_CHOICES_MOST
