import {
  fill,
  isFilled,
  type Message,
  type ParamArguments,
  type Values,
  withParts,
} from '../../contract/messages/message.ts'
import type { LocalizedText } from '../../contract/messages/localized-text.ts'
import { type ErrorReport, localizedError } from '../../contract/messages/error-report.ts'
import type { en } from './en.ts'
import { english } from './base/loaded.ts'

export type Messages = typeof en
export type MessageKey = keyof Messages

/** Same keys as English, plural where English is. A test checks the placeholders. */
export type Translation = {
  readonly [K in MessageKey]: Messages[K] extends string ? string : Exclude<Message, string>
}

export type Language = 'en' | 'de'

/** Text built when shown. Store messages as functions (`Words`), so they follow a language change. */
export type Words = () => string

let translation = $state.raw<Translation | null>(null)
let language = $state.raw<Language>('en')
let wantedLast: Language = 'en'

export function t<K extends MessageKey>(key: K, ...[params]: ParamArguments<Messages[K]>): string {
  const message: Message = translation?.[key] ?? english[key] ?? key
  // Fast path: most texts have no placeholders, and finding the locale is the slowest part.
  if (params === undefined && typeof message === 'string') return message
  return fill(message, (params as Values | undefined) ?? {}, locale())
}

/** Translates main and the built-in service; other services' texts, and unknown sentences, stay as they are. */
export function said(told: LocalizedText | ErrorReport): string {
  return ownWords(told) ?? told.message
}

/** `lang` for `said`: undefined for the page's language, empty for a service's unknown one. */
export function saidIn(told: LocalizedText | ErrorReport): '' | undefined {
  return ownWords(told) === null ? '' : undefined
}

function ownWords(told: LocalizedText | ErrorReport): string | null {
  const { text } = 'sentence' in told ? localizedError(told) : (told as LocalizedText)
  if (!text) return null
  void sentencesAreHere
  const texts: Readonly<Record<string, Message | undefined>> = translation ?? english
  const own = texts[text.key]
  if (own === undefined) loadSentences()
  const values = text.values ?? {}
  const whole = own === undefined ? null : withParts(own, values, texts)
  return whole !== null && isFilled(whole, values) ? fill(whole, values, locale()) : null
}

let sentencesAreHere = $state(false)
let sentencesAsked = false

/** Loaded on first use: main's messages already contain English words. */
function loadSentences(): void {
  if (sentencesAsked) return
  sentencesAsked = true
  import('./sentences.ts').then(
    () => (sentencesAreHere = true),
    () => (sentencesAsked = false),
  )
}

/** The user's own locale if it matches the texts (`en-GB`), else the language, so a sentence never mixes two. */
export function locale(): string {
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language
}

export function currentLanguage(): Language {
  return language
}

export function resolveLanguage(setting: 'system' | Language): Language {
  if (setting !== 'system') return setting
  const spoken = navigator.languages.map((tag) => tag.split('-')[0])
  return spoken.find((tag): tag is Language => tag === 'en' || tag === 'de') ?? 'en'
}

export async function useLanguage(setting: 'system' | Language): Promise<void> {
  const wanted = resolveLanguage(setting)
  wantedLast = wanted
  if (wanted === language) return
  const next: Translation | null = wanted === 'de' ? (await import('./de.ts')).de : null
  if (wanted !== wantedLast) return
  translation = next
  language = wanted
  document.documentElement.lang = wanted
}
