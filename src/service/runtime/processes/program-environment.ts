import { execFile } from 'node:child_process'

/** Passed on to programs. Others may be secret. */
const PASSED_ON = [
  'PATH', 'HOME', 'USER', 'LANG', 'LOCPATH', 'LOCALE_ARCHIVE', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'JAVA_HOME',
  'SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE',
] // prettier-ignore
/** `LC_ALL`, `LC_CTYPE`, `LC_TIME`, and so on. */
const CATEGORY = /^LC_[A-Z]{2,20}$/
/** UTF-8 locales that are always available on Linux and macOS. */
const UTF_8_LOCALES = ['C.UTF-8', 'en_US.UTF-8']
const LOCALE_MS = 5_000

type Variables = Record<string, string>

export interface Language {
  language: string
  country: string | null
}

interface ProgramEnvironment {
  variables: Variables
  /** The owner's language, if the variables no longer say so. */
  language: Language | null
}

/** UTF-8, or Java prints `?` and can't open such files. English, because crash rules match English. */
export function programEnvironment(): Promise<ProgramEnvironment> {
  const variables: Variables = {}
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && (PASSED_ON.includes(name) || CATEGORY.test(name))) variables[name] = value
  const from = JSON.stringify(variables)
  if (last?.from !== from) last = { from, environment: environmentFrom(variables) }
  return last.environment
}

let last: { from: string; environment: Promise<ProgramEnvironment> } | null = null

async function environmentFrom(variables: Variables): Promise<ProgramEnvironment> {
  // Windows uses code pages instead.
  if (process.platform === 'win32') return { variables, language: null }
  const charset = await charsetOf(variables)
  const language = process.platform === 'linux' && charset !== null ? languageOf(variables) : null
  if (charset === 'UTF-8')
    return { variables: language ? withEnglishMessages(variables) : variables, language }
  const rest = without(variables, CATEGORY)
  return { variables: { ...rest, LC_ALL: await utf8Locale(rest) }, language }
}

/** Null if one of the locales isn't installed. */
function charsetOf(variables: Variables): Promise<string | null> {
  return new Promise((resolve) => {
    execFile('locale', ['charmap'], { env: variables, timeout: LOCALE_MS }, (error, stdout, stderr) => {
      // musl has no `locale`, and only UTF-8.
      if (error?.code === 'ENOENT') resolve('UTF-8')
      // It warns about locales it can't set. Java then falls back to C.
      else resolve(error || stderr !== '' ? null : stdout.trim())
    })
  })
}

async function utf8Locale(variables: Variables): Promise<string> {
  for (const name of UTF_8_LOCALES)
    if ((await charsetOf({ ...variables, LC_ALL: name })) === 'UTF-8') return name
  return UTF_8_LOCALES[0]!
}

function languageOf({ LC_ALL, LC_MESSAGES, LANG }: Variables): Language | null {
  const [, language = 'en', country = null] =
    /^([a-z]{2,3})(?:_([A-Z]{2}))?(?:[.@]|$)/.exec(LC_ALL || LC_MESSAGES || LANG || '') ?? []
  return language === 'en' ? null : { language, country }
}

/** `LC_ALL` would override `LC_MESSAGES`, so it becomes `LANG`. */
function withEnglishMessages(variables: Variables): Variables {
  const { LC_ALL } = variables
  if (!LC_ALL) return { ...variables, LC_MESSAGES: 'C' }
  return { ...without(variables, CATEGORY), LANG: LC_ALL, LC_MESSAGES: 'C' }
}

const without = (variables: Variables, pattern: RegExp): Variables =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !pattern.test(name)))
