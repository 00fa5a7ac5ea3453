import type { z } from 'zod'
import type { ParamArguments } from '../../../contract/messages/message.ts'
import { type Said, say, type SentenceKey, type Sentences } from '../../../contract/messages/say.ts'

/** What is wrong in a profile, and where: the way to it through the JSON; empty for the whole. */
export interface Fault {
  at: string[]
  said: Said
}

/** Faults told of one profile at most. */
const FAULTS_MOST = 50

/**
 * What a rule of the profile's schema says where it is broken; `faultsOf` finds the sentence in it again. It is said then
 * alone: to write numbers, the system's tables of languages are read.
 */
export function wrong<K extends SentenceKey>(key: K, ...values: ParamArguments<Sentences[K]>) {
  let made: Said | undefined
  const said = () => (made ??= say(key, ...values))
  return {
    error: () => said().message,
    params: {
      get said() {
        return said()
      },
    },
  }
}

/** Everything that is wrong with a profile, one sentence for each place. */
export function faultsOf({ issues }: z.ZodError): Fault[] {
  const byPlace = new Map<string, Fault>()
  for (const issue of issues) {
    const at = issue.path.map(String)
    const key = JSON.stringify(at)
    if (!byPlace.has(key)) byPlace.set(key, { at, said: sentenceOf(issue) })
  }
  return [...byPlace.values()].slice(0, FAULTS_MOST)
}

function sentenceOf(issue: z.core.$ZodIssue): Said {
  switch (issue.code) {
    case 'custom':
      return (issue.params?.['said'] as Said | undefined) ?? say('profile.wrong-kind')
    case 'unrecognized_keys':
      return say('profile.unknown-field', { names: issue.keys.map((name) => `“${name}”`).join(', ') })
    case 'invalid_value':
      return say('profile.method')
    default:
      return say('profile.wrong-kind')
  }
}

/** A fault in one English line, for the log. */
export const inEnglish = ({ at, said }: Fault): string =>
  at.length > 0 ? `${at.join(' → ')}: ${said.message}` : said.message
