/** Augmented by the feature registry with the names of the tabs and of the sections of settings. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface TabRegister {}

export type Tab = TabRegister extends { tab: infer Name extends string } ? Name : never

export type Section = TabRegister extends { section: infer Name extends string } ? Name : never

let tabs: readonly string[] = []
let sections: readonly string[] = []

/** Registers the tabs and the sections of settings; before that no server address can be parsed. */
export function useTabs(names: readonly Tab[], ofSettings: readonly Section[] = []): void {
  tabs = names
  sections = ofSettings
}

/** Paths are relative to the server's folder. */
export interface FilesRoute {
  path?: string
  file?: string
  /** From 1. */
  line?: number
  tree?: boolean
  trash?: boolean
  /** The backup that is open, in the section of backups; `path` is in it. */
  backup?: string
}

/** Everything the main area can show, each with an address so that back, forward and reload work. */
export type Route =
  | { view: 'home' }
  /** With a connection: signing in to it again. */
  | { view: 'sign-in'; connectionId: string | null }
  | { view: 'connection'; connectionId: string }
  | { view: 'create'; connectionId: string }
  | ({ view: 'server'; connectionId: string; serverId: string; tab: Tab; section?: Section } & FilesRoute)
  /** Without a connection: the first account. Sections are named by the accounts page. */
  | { view: 'accounts'; connectionId?: string; section?: string }
  | { view: 'notifications' }
  | { view: 'settings' }
  | { view: 'unknown' }

/** Parses an address such as `#/c/local/s/7f3a/console`; invalid ones become `unknown`. */
export function parseRoute(hash: string): Route {
  const [address = '', ...rest] = hash.split('?')
  const parts = address
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decode)
  const [first = '', second = '', third = '', fourth = '', fifth = '', sixth] = parts
  if (first === '' && parts.length === 1) return { view: 'home' }
  if (first === 'sign-in' && parts.length <= 2) return { view: 'sign-in', connectionId: second || null }
  if (parts.length === 1 && isPlain(first)) return { view: first }
  if (first === 'accounts' && second !== '' && parts.length <= 3) {
    return { view: first, connectionId: second, ...(third && { section: third }) }
  }
  if (first !== 'c' || second === '') return { view: 'unknown' }
  if (parts.length === 2) return { view: 'connection', connectionId: second }
  if (third === 'create' && parts.length === 3) return { view: 'create', connectionId: second }
  if (third !== 's' || fourth === '' || parts.length > 6) return { view: 'unknown' }
  const place = parsePlace(fifth, sixth, rest.join('?'))
  if (place === null) return { view: 'unknown' }
  return { view: 'server', connectionId: second, serverId: fourth, ...place }
}

/** Sections were tabs once, and their addresses still lead to them. */
function parsePlace(
  tab: string,
  section: string | undefined,
  query: string,
): ({ tab: Tab; section?: Section } & FilesRoute) | null {
  if (section !== undefined)
    return tab === SETTINGS && isSection(section) ? { tab, section, ...parseBackupRoute(query) } : null
  if (isSection(tab)) return { tab: SETTINGS, section: tab }
  if (!isTab(tab || 'overview')) return null
  return { tab: (tab || 'overview') as Tab, ...(tab === 'files' ? parseFilesRoute(query) : {}) }
}

export function href(route: Exclude<Route, { view: 'unknown' }>): string {
  const id = encodeURIComponent
  switch (route.view) {
    case 'home':
      return '#/'
    case 'sign-in':
      return route.connectionId === null ? '#/sign-in' : `#/sign-in/${id(route.connectionId)}`
    case 'connection':
      return `#/c/${id(route.connectionId)}`
    case 'create':
      return `#/c/${id(route.connectionId)}/create`
    case 'server':
      return `#/c/${id(route.connectionId)}/s/${id(route.serverId)}/${route.tab}${sectionText(route)}${filesRouteText(route)}`
    case 'accounts':
      return [
        '#/accounts',
        ...[route.connectionId, route.section].filter((part) => part !== undefined).map(id),
      ].join('/')
    case 'notifications':
    case 'settings':
      return `#/${route.view}`
  }
}

function parseFilesRoute(text: string): FilesRoute {
  const named = new URLSearchParams(text)
  const files: FilesRoute = {}
  const path = named.get('path')
  const file = named.get('file')
  const line = Number(named.get('line'))
  if (path) files.path = path
  if (file) files.file = file
  if (file && Number.isInteger(line) && line > 0) files.line = line
  if (file && named.has('tree')) files.tree = true
  if (named.has('trash')) files.trash = true
  return files
}

function parseBackupRoute(text: string): FilesRoute {
  const named = new URLSearchParams(text)
  const backup = named.get('backup')
  const path = named.get('path')
  return backup ? { backup, ...(path && { path }) } : {}
}

const sectionText = ({ tab, section }: { tab: Tab; section?: Section }): string =>
  tab === SETTINGS && section !== undefined ? `/${section}` : ''

function filesRouteText(route: { tab: Tab } & FilesRoute): string {
  if (route.tab !== 'files' && route.backup === undefined) return ''
  const named = new URLSearchParams()
  if (route.backup) named.set('backup', route.backup)
  if (route.path) named.set('path', route.path)
  if (route.file) named.set('file', route.file)
  if (route.file && route.line) named.set('line', String(route.line))
  if (route.file && route.tree) named.set('tree', '1')
  if (route.trash) named.set('trash', '1')
  const text = named.toString().replaceAll('%2F', '/')
  return text === '' ? '' : `?${text}`
}

const SETTINGS = 'settings' satisfies Tab

const plain = ['accounts', 'notifications', 'settings'] as const

function isPlain(word: string): word is (typeof plain)[number] {
  return (plain as readonly string[]).includes(word)
}

function isTab(word: string): word is Tab {
  return tabs.includes(word)
}

function isSection(word: string): word is Section {
  return sections.includes(word)
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
