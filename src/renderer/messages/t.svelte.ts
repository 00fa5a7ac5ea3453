import {
  fill,
  isFilled,
  type Message,
  type ParamArguments,
  type Values,
  withParts,
} from '../../contract/messages/message.ts'
import type { Said } from '../../contract/messages/say.ts'
import { type ToldError, toldBy } from '../../contract/messages/told.ts'
import type { en } from './en.ts'
import './first-screen.ts'
import { english } from './base/loaded.ts'

/** Every message there is, by its key. */
export type Messages = typeof en
export type MessageKey = keyof Messages

/** A translation: the same keys, plural where English is plural. That the places agree is held by a test. */
export type Translation = {
  readonly [K in MessageKey]: Messages[K] extends string ? string : Exclude<Message, string>
}

export type Language = 'en' | 'de'

/**
 * Words that are put together when they are shown. What is kept to be shown later is kept so, never as the text that `t`
 * answered: that would stay in the language it was made in, and so would the numbers and dates in it.
 */
export type Words = () => string

/** The texts of another language than English; all of them are loaded together. */
let translation = $state.raw<Translation | null>(null)
let language = $state.raw<Language>('en')
/** The language that was wanted last; the texts of it may still be on their way. */
let wantedLast: Language = 'en'

/** A text in the person's language. Reading it in markup follows a change of language. */
export function t<K extends MessageKey>(key: K, ...[params]: ParamArguments<Messages[K]>): string {
  const message: Message = translation?.[key] ?? english[key] ?? key
  // Most texts have no places, and to find the locale takes longer than all else here.
  if (params === undefined && typeof message === 'string') return message
  return fill(message, (params as Values | undefined) ?? {}, locale())
}

/**
 * What main says, or the built-in service, in the person's language. What another service sent stays as it is, and so does
 * what was kept by a panel that had no such sentence yet, or no longer has it.
 */
export function said(told: Said | ToldError): string {
  return ownWords(told) ?? told.message
}

/** The `lang` of what `said` answers: none where it is in the language of the page, unknown where a service wrote it. */
export function saidIn(told: Said | ToldError): '' | undefined {
  return ownWords(told) === null ? '' : undefined
}

/** A sentence that the panel knows, with all that stands in it; null where it does not. */
function ownWords(told: Said | ToldError): string | null {
  const { text } = 'sentence' in told ? toldBy(told) : (told as Said)
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

/** What main says is in English words already: nothing of it is loaded before main has said something. */
function loadSentences(): void {
  if (sentencesAsked) return
  sentencesAsked = true
  import('./sentences.ts').then(
    () => (sentencesAreHere = true),
    () => (sentencesAsked = false),
  )
}

/**
 * The locale numbers, dates and plurals follow: the person's own where it speaks the language of the texts (`en-GB`
 * for English), otherwise the language itself, so that a sentence never mixes two.
 */
export function locale(): string {
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language
}

/** The language the texts are in now. */
export function currentLanguage(): Language {
  return language
}

/** The language that a setting means on this system. */
export function resolveLanguage(setting: 'system' | Language): Language {
  if (setting !== 'system') return setting
  const spoken = navigator.languages.map((tag) => tag.split('-')[0])
  return spoken.find((tag): tag is Language => tag === 'en' || tag === 'de') ?? 'en'
}

/** Switches the texts; another language than English is loaded when it is first wanted. */
export async function useLanguage(setting: 'system' | Language): Promise<void> {
  const wanted = resolveLanguage(setting)
  wantedLast = wanted
  if (wanted === language) return
  const next: Translation | null = wanted === 'de' ? (await import('./de.ts')).de : null
  // Another one was chosen while this one was loaded.
  if (wanted !== wantedLast) return
  translation = next
  language = wanted
  document.documentElement.lang = wanted
}
