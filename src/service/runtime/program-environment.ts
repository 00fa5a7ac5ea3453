import { execFile } from 'node:child_process'

/** What programs see of the service's environment. Nothing else: it may hold secrets. */
const PASSED_ON = [
  'PATH', 'HOME', 'USER', 'LANG', 'LOCPATH', 'LOCALE_ARCHIVE', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'JAVA_HOME',
  'SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE',
] // prettier-ignore
/** `LC_ALL`, `LC_CTYPE`, `LC_TIME`, and so on. */
const CATEGORY = /^LC_[A-Z]{2,20}$/
/** Locales in UTF-8: Linux has the first one without installing any, macOS the second one. */
const UTF_8_LOCALES = ['C.UTF-8', 'en_US.UTF-8']
/** In milliseconds. */
const LOCALE_MS = 5_000

type Variables = Record<string, string>

/** A language as Java takes it, such as `de` and `DE`. */
export interface Language {
  language: string
  country: string | null
}

/** The environment of a program. */
export interface ProgramEnvironment {
  variables: Variables
  /** The language that the owner's locale asks for, where the variables no longer say so; else null. */
  language: Language | null
}

/**
 * What programs are started with. Their locale always counts in UTF-8: in others Java writes `?` for letters and cannot open
 * files whose names have any. Messages of the system are in English, because causes of crashes are found by them.
 */
export function programEnvironment(): Promise<ProgramEnvironment> {
  const variables: Variables = {}
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && (PASSED_ON.includes(name) || CATEGORY.test(name))) variables[name] = value
  const from = JSON.stringify(variables)
  if (last?.from !== from) last = { from, environment: environmentFrom(variables) }
  return last.environment
}

/** Programs are started often, and the variables stay the same. */
let last: { from: string; environment: Promise<ProgramEnvironment> } | null = null

async function environmentFrom(variables: Variables): Promise<ProgramEnvironment> {
  // Windows has code pages instead.
  if (process.platform === 'win32') return { variables, language: null }
  const charset = await charsetOf(variables)
  const language = process.platform === 'linux' && charset !== null ? languageOf(variables) : null
  if (charset === 'UTF-8')
    return { variables: language ? withEnglishMessages(variables) : variables, language }
  const rest = without(variables, CATEGORY)
  return { variables: { ...rest, LC_ALL: await utf8Locale(rest) }, language }
}

/** The charset in which programs count with these variables; null where the computer lacks one of the locales. */
function charsetOf(variables: Variables): Promise<string | null> {
  return new Promise((resolve) => {
    execFile('locale', ['charmap'], { env: variables, timeout: LOCALE_MS }, (error, stdout, stderr) => {
      // Musl has no such program, and every locale is in UTF-8 there.
      if (error?.code === 'ENOENT') resolve('UTF-8')
      // It complains of what it cannot set. Java then takes none of them.
      else resolve(error || stderr !== '' ? null : stdout.trim())
    })
  })
}

async function utf8Locale(variables: Variables): Promise<string> {
  for (const name of UTF_8_LOCALES)
    if ((await charsetOf({ ...variables, LC_ALL: name })) === 'UTF-8') return name
  return UTF_8_LOCALES[0]!
}

/** Null for English, and where none is named. */
function languageOf({ LC_ALL, LC_MESSAGES, LANG }: Variables): Language | null {
  const [, language = 'en', country = null] =
    /^([a-z]{2,3})(?:_([A-Z]{2}))?(?:[.@]|$)/.exec(LC_ALL || LC_MESSAGES || LANG || '') ?? []
  return language === 'en' ? null : { language, country }
}

/** `LC_ALL` would go before it, so it becomes what holds for the other categories. */
function withEnglishMessages(variables: Variables): Variables {
  const { LC_ALL } = variables
  if (!LC_ALL) return { ...variables, LC_MESSAGES: 'C' }
  return { ...without(variables, CATEGORY), LANG: LC_ALL, LC_MESSAGES: 'C' }
}

const without = (variables: Variables, pattern: RegExp): Variables =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !pattern.test(name)))
