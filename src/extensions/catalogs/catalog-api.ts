import type { z } from 'zod'
import type { Refusal } from '../../host/refusal.ts'
import type { CatalogClient, Question } from '../requests/catalog-client.ts'
import { json } from '../requests/shapes.ts'
import {
  type ExtensionCatalog,
  type SearchedPage,
  CATALOG_NAMES,
  catalogOf,
  nameOf,
  notThere,
} from './extension-catalog.ts'
import { fetchPicture, type Picture } from './pictures.ts'
import { isAmong, type CatalogHosts } from './places.ts'
import { BoundedMap } from '../../host/bounded-map.ts'

/** No catalog lists more results of a search. */
const SEARCH_MOST = 10_000
/** A known file hardly ever changes; unknown files may be published later. */
export const IDENTIFIED_FRESH_MS = 6 * 60 * 60_000
export const DAY_MS = 24 * 60 * 60_000
export const DETAILS_VERSIONS_MOST = 50

interface CatalogDescription {
  id: ExtensionCatalog['id']
  base: string
  /** Path of the API below the base address. */
  api: string
  pictureHosts: readonly string[]
  /** Most results of a search in one answer. */
  pageMost: number
  notFound?: () => Refusal
}

interface ApiRequest extends Pick<Question<unknown>, 'freshMs'> {
  query?: Record<string, string>
  /** Sent as JSON. */
  body?: object
}

/** What all catalogs share: requests, pages, pictures and errors. */
export class CatalogApi {
  readonly id: ExtensionCatalog['id']
  readonly base: string
  readonly #client: CatalogClient
  readonly #api: string
  readonly #pageMost: number
  readonly #places: CatalogHosts
  readonly #pictures = new BoundedMap<string | null>(2000)
  readonly notFound: () => Refusal

  constructor(
    client: CatalogClient,
    { id, base, api, pictureHosts, pageMost, notFound }: CatalogDescription,
  ) {
    this.#client = client
    this.id = id
    this.base = base
    this.#api = `${base}/${api}`
    this.#pageMost = pageMost
    this.#places = { name: CATALOG_NAMES[id], hosts: pictureHosts, base }
    this.notFound = notFound ?? (() => notThere(id))
  }

  /** The catalog's own id. Throws `notFound` for other catalogs. */
  keyOf(name: string): string {
    if (catalogOf(name) !== this.id) throw this.notFound()
    return name.slice(this.id.length + 1)
  }

  nameOf(key: string): string {
    return nameOf(this.id, key)
  }

  get<T extends z.ZodType>(path: string, schema: T, signal: AbortSignal, request: ApiRequest = {}) {
    return this.ask(path, { parse: json(schema) }, signal, request)
  }

  /** Null if the catalog has no such entry. */
  find<T extends z.ZodType>(path: string, schema: T, signal: AbortSignal, request: ApiRequest = {}) {
    return this.ask(path, { parse: json(schema.nullable()), absent: 'null' }, signal, request)
  }

  /** Rejects with `notFound` if the catalog has no such entry. */
  async entry<T extends z.ZodType>(path: string, schema: T, signal: AbortSignal, request: ApiRequest = {}) {
    const entry = await this.find(path, schema, signal, request)
    if (entry === null) throw this.notFound()
    return entry as NonNullable<z.output<T>>
  }

  ask<T>(
    path: string,
    question: Pick<Question<T>, 'parse' | 'absent'>,
    signal: AbortSignal,
    { query = {}, body, freshMs }: ApiRequest = {},
  ): Promise<T> {
    const search = new URLSearchParams(query).toString()
    const url = `${this.#api}/${path}${search && `?${search}`}`
    const more = { ...(body && { body: JSON.stringify(body) }), freshMs }
    return this.#client.get({ ...question, ...more, url, name: CATALOG_NAMES[this.id] }, signal)
  }

  /** A page of a search. @param ask returns what the catalog has, before any filter */
  async page<T>(
    { limit, cursor }: SearchedPage,
    ask: (range: { limit: string; offset: string }) => Promise<{ found: T[]; total: number | null }>,
  ): Promise<{ found: T[]; nextCursor: string | null }> {
    const offset = Number(cursor ?? 0)
    if (!Number.isInteger(offset) || offset < 0 || offset >= SEARCH_MOST)
      return { found: [], nextCursor: null }
    const count = Math.min(limit, this.#pageMost)
    const { found, total } = await ask({ limit: String(count), offset: String(offset) })
    const next = offset + count
    const isEnd = total === null ? found.length === 0 : next >= total
    return { found, nextCursor: isEnd || next >= SEARCH_MOST ? null : String(next) }
  }

  /** Returns whether a project has a picture that may be fetched. */
  rememberPicture(key: string, address: string | null | undefined): boolean {
    const hasPicture = isAmong(address, this.#places)
    this.#pictures.set(key, hasPicture ? address! : null)
    return hasPicture
  }

  /** @param addressOf asked if the picture wasn't remembered */
  async picture(
    key: string,
    addressOf: () => Promise<string | null | undefined>,
    signal: AbortSignal,
  ): Promise<Picture | null> {
    const known = this.#pictures.get(key)
    const address = known === undefined ? ((await addressOf()) ?? null) : known
    return fetchPicture(this.#client, address, this.#places, signal)
  }
}
