import type { z } from 'zod'
import type {
  CatalogFile,
  CatalogPack,
  CatalogPackVersion,
  PackCatalog,
  PackFilter,
} from '../../changes/packs/pack-catalog.ts'
import type { CatalogueClient, Question } from '../../software/catalogues/catalogue-client.ts'
import { isoOf, json, listOf } from '../../software/catalogues/shapes.ts'
import type { SearchedPage } from './extension-catalog.ts'
import {
  catalogVersionOf,
  indexOf,
  ModrinthHits,
  ModrinthProject,
  ModrinthTitles,
  ModrinthVersion,
  VersionsByHash,
} from './modrinth-shapes.ts'
import { catalogOf, nameOf } from './names.ts'
import { isAmong } from './places.ts'
import { line, some } from './tolerant.ts'
import { notFound } from './pack-refusals.ts'

const NAME = 'Modrinth'
const PICTURE_HOSTS = ['cdn.modrinth.com', 'cdn-raw.modrinth.com']
const SEARCH_MOST = 10_000
const CHUNK = 100
const DAY_MS = 24 * 60 * 60_000
/** Loaders whose servers can be installed. */
const LOADERS = new Set(['fabric', 'quilt', 'neoforge', 'forge'])

const Version = ModrinthVersion.extend({
  game_versions: some(line(60), 200),
  loaders: some(line(60), 50),
})
type Version = z.output<typeof Version>

export class ModrinthPacks implements PackCatalog {
  readonly #client: CatalogueClient
  readonly base: string

  constructor(client: CatalogueClient, base: string) {
    this.#client = client
    this.base = base
  }

  async search(
    query: string,
    { minecraft, software }: PackFilter,
    { sort, limit, cursor }: SearchedPage,
    signal: AbortSignal,
  ): Promise<{ items: CatalogPack[]; nextCursor: string | null }> {
    const offset = cursor === null ? 0 : Number(cursor)
    if (!Number.isInteger(offset) || offset < 0 || offset >= SEARCH_MOST)
      return { items: [], nextCursor: null }
    const url = this.#url('search', {
      query,
      facets: JSON.stringify([
        ['project_type:modpack'],
        ['environment!=client_only'],
        ...(minecraft === null ? [] : [[`versions:${minecraft}`]]),
        // In Modrinth's search, loaders are categories.
        ...(software === null ? [] : [[`categories:${software}`]]),
      ]),
      index: indexOf(query, sort),
      offset: String(offset),
      limit: String(limit),
    })
    const { hits, total_hits } = await this.#ask({ url, parse: json(ModrinthHits) }, signal)
    const places = { name: NAME, hosts: PICTURE_HOSTS, base: this.base }
    const items = hits
      .filter(({ server_side }) => server_side !== 'unsupported')
      .map((hit) => ({
        id: nameOf('modrinth', hit.project_id),
        name: hit.title,
        summary: hit.description,
        author: hit.author,
        downloads: hit.downloads,
        updatedAt: isoOf(hit.date_modified) ?? null,
        createdAt: isoOf(hit.date_created) ?? null,
        url: pageOf(hit.project_id),
        hasIcon: isAmong(hit.icon_url, places),
        categories: hit.categories.filter((one) => one !== ''),
      }))
    const next = offset + limit
    const isEnd = total_hits === null ? hits.length === 0 : next >= total_hits
    return { items, nextCursor: isEnd || next >= SEARCH_MOST ? null : String(next) }
  }

  async versions(project: string, signal: AbortSignal): Promise<CatalogPackVersion[]> {
    const key = keyOf(project)
    const [title, versions] = await Promise.all([
      this.#title(key, signal),
      this.#ask(
        { url: this.#url(`project/${key}/version`), parse: json(listOf(Version).nullable()), absent: 'null' },
        signal,
      ),
    ])
    if (!versions) throw notFound()
    return versions
      .map((one) => this.#version(one, title))
      .sort((a, b) => (b.releasedAt ?? '').localeCompare(a.releasedAt ?? ''))
  }

  async version(id: string, signal: AbortSignal): Promise<CatalogPackVersion> {
    const url = this.#url(`version/${keyOf(id)}`)
    const parse = json(Version.nullable())
    const version = await this.#ask({ url, parse, absent: 'null', freshMs: DAY_MS }, signal)
    if (!version) throw notFound()
    return this.#version(version, await this.#title(version.project_id, signal))
  }

  async filesBy(hashes: readonly string[], signal: AbortSignal): Promise<Map<string, CatalogFile>> {
    const versions = new Map<string, ModrinthVersion>()
    for (const chunk of chunksOf(hashes)) {
      const body = JSON.stringify({ hashes: chunk, algorithm: 'sha512' })
      const url = this.#url('version_files')
      const found = await this.#ask({ url, body, parse: json(VersionsByHash), freshMs: DAY_MS }, signal)
      for (const [hash, one] of found) versions.set(hash, one)
    }
    const projects = new Map<string, { title: string; server_side?: string | null | undefined }>()
    for (const chunk of chunksOf([...new Set([...versions.values()].map(({ project_id }) => project_id))])) {
      const url = this.#url('projects', { ids: JSON.stringify(chunk) })
      const found = await this.#ask({ url, parse: json(ModrinthTitles), freshMs: DAY_MS }, signal)
      for (const one of found) projects.set(one.id, one)
    }
    return new Map(
      [...versions].map(([hash, { id, project_id, version_number, name }]) => [
        hash,
        {
          project: project_id,
          isClientOnly: projects.get(project_id)?.server_side === 'unsupported',
          name: projects.get(project_id)?.title ?? name ?? id,
          version: version_number ?? name ?? id,
          url: `https://modrinth.com/project/${project_id}/version/${id}`,
        },
      ]),
    )
  }

  async #title(key: string, signal: AbortSignal): Promise<string> {
    const parse = json(ModrinthProject.nullable())
    const project = await this.#ask({ url: this.#url(`project/${key}`), parse, absent: 'null' }, signal)
    if (!project) throw notFound()
    return project.title
  }

  #version(version: Version, title: string): CatalogPackVersion {
    const { id, project, name, channel, releasedAt, file } = catalogVersionOf(version, title, this.base)
    const loaders = version.loaders.filter((one) => LOADERS.has(one))
    return {
      ...{ id, project, projectName: title, name, channel, releasedAt, file },
      minecraft: version.game_versions,
      software: loaders,
      url: `${pageOf(version.project_id)}/version/${version.id}`,
    }
  }

  #ask<T>(question: Omit<Question<T>, 'name'>, signal: AbortSignal): Promise<T> {
    return this.#client.get({ ...question, name: NAME }, signal)
  }

  #url(path: string, query: Record<string, string> = {}): string {
    const asked = new URLSearchParams(query).toString()
    return `${this.base}/v2/${path}${asked === '' ? '' : `?${asked}`}`
  }
}

const pageOf = (project: string): string => `https://modrinth.com/modpack/${project}`

function keyOf(name: string): string {
  if (catalogOf(name) !== 'modrinth') throw notFound()
  return name.slice('modrinth:'.length)
}

const chunksOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, at) => all.slice(at * CHUNK, (at + 1) * CHUNK))
