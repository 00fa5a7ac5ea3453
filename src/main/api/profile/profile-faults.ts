import type { z } from 'zod'
import type { ParamArguments } from '../../../contract/messages/message.ts'
import {
  type LocalizedText,
  localized,
  type SentenceKey,
  type Sentences,
} from '../../../contract/messages/localized-text.ts'

/** A fault of a profile and its JSON path; an empty path means the whole profile. */
export interface Fault {
  at: string[]
  said: LocalizedText
}

const FAULTS_MOST = 50

/** The sentence is formatted later, by `faultsOf`: number formatting loads the system's locale tables. */
export function wrong<K extends SentenceKey>(key: K, ...values: ParamArguments<Sentences[K]>) {
  let made: LocalizedText | undefined
  const said = () => (made ??= localized(key, ...values))
  return {
    error: () => said().message,
    params: {
      get said() {
        return said()
      },
    },
  }
}

export function faultsOf({ issues }: z.ZodError): Fault[] {
  const byPlace = new Map<string, Fault>()
  for (const issue of issues) {
    const at = issue.path.map(String)
    const key = JSON.stringify(at)
    if (!byPlace.has(key)) byPlace.set(key, { at, said: sentenceOf(issue) })
  }
  return [...byPlace.values()].slice(0, FAULTS_MOST)
}

function sentenceOf(issue: z.core.$ZodIssue): LocalizedText {
  switch (issue.code) {
    case 'custom':
      return (issue.params?.['said'] as LocalizedText | undefined) ?? localized('profile.wrong-kind')
    case 'unrecognized_keys':
      return localized('profile.unknown-field', { names: issue.keys.map((name) => `“${name}”`).join(', ') })
    case 'invalid_value':
      return localized('profile.method')
    default:
      return localized('profile.wrong-kind')
  }
}

export const inEnglish = ({ at, said }: Fault): string =>
  at.length > 0 ? `${at.join(' → ')}: ${said.message}` : said.message
