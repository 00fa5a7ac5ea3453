import type { Software, SoftwareVersion } from '../../../contract/bridge/values.ts'
import { hasUsual, isUnusual, recommended } from './software-versions.ts'

export type OfferedSoftware = Software & { versions: SoftwareVersion[]; heldSince?: string; unreached?: true }

/** The chosen software and version; defaults follow the catalog. */
export class SoftwareChoice {
  readonly #items: () => readonly OfferedSoftware[]
  readonly #first: { id: string; version?: string | null } | null
  #softwareId = $state<string | null>(null)
  #versionId = $state<string | null>(null)
  allVersions = $state(false)
  #accepted = $state<string | null>(null)

  constructor(
    items: () => readonly OfferedSoftware[],
    first: { id: string; version?: string | null } | null = null,
  ) {
    this.#items = items
    this.#first = first
  }

  get items(): readonly OfferedSoftware[] {
    return this.#items()
  }

  get software(): OfferedSoftware | null {
    const wanted = this.#softwareId ?? this.#first?.id
    return (
      this.items.find(({ id }) => id === wanted) ??
      [...usualFirst(this.items), ...this.items].find(({ versions }) => versions.length > 0) ??
      this.items[0] ??
      null
    )
  }

  get isChosen(): boolean {
    return this.#softwareId !== null
  }

  choose(id: string): void {
    this.#softwareId = id
  }

  get hasUnusual(): boolean {
    return hasUsual(this.software) && (this.software?.versions.some(isUnusual) ?? false)
  }

  get versions(): readonly SoftwareVersion[] {
    const { software } = this
    const wanted = this.#wantedVersion
    return (software?.versions ?? []).filter(
      (one) => this.allVersions || !isUnusual(one) || !hasUsual(software) || one.id === wanted,
    )
  }

  get version(): SoftwareVersion | null {
    const wanted = this.#wantedVersion
    return this.versions.find(({ id }) => id === wanted) ?? recommended(this.versions)
  }

  chooseVersion(id: string): void {
    this.#versionId = id
  }

  get #wantedVersion(): string | null {
    return (
      this.#versionId ??
      (this.#first && this.software?.id === this.#first.id ? (this.#first.version ?? null) : null)
    )
  }

  get license() {
    return this.software?.license ?? null
  }

  /** Whether the shown license was accepted; other software has another one. */
  get accepts(): boolean {
    return this.license !== null && this.#accepted === this.#shownLicense
  }

  set accepts(yes: boolean) {
    this.#accepted = yes ? this.#shownLicense : null
  }

  get #shownLicense(): string | null {
    return this.license && `${this.license.name}\n${this.license.url}`
  }
}

const USUAL = ['paper', 'vanilla', 'fabric']

/** The kinds that most people want; where none of them is offered, the first of the catalog. */
export function usualFirst(items: readonly OfferedSoftware[]): readonly OfferedSoftware[] {
  const known = USUAL.flatMap((id) => items.filter((one) => one.id === id))
  return known.length > 0 ? known : items.slice(0, USUAL.length)
}
