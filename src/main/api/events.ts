import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createParser } from 'eventsource-parser'
import { localized } from '../../contract/messages/localized-text.ts'
import { problem } from '../base/problem.ts'
import { transportProblem } from './requests/transport-problem.ts'

export interface StreamEvent {
  event: string
  data: string
}

/** Longest event, in characters: many times a page of console lines. */
const EVENT_MOST = 4 * 1024 * 1024

/** Uses native string functions only, never single characters: console lines arrive by the thousand. */
export async function* readEvents(
  body: Readable,
  host: string,
): AsyncGenerator<StreamEvent, void, undefined> {
  let ready: StreamEvent[] = []
  let tooLong = false
  const decoder = new StringDecoder('utf8')
  const parser = createParser({
    maxBufferSize: EVENT_MOST,
    onEvent: ({ event, data }) => ready.push({ event: event ?? 'message', data }),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') tooLong = true
    },
  })
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      parser.feed(decoder.write(piece))
      if (tooLong)
        throw problem('incompatible', localized('answer.event-too-long', { most: EVENT_MOST }), {
          detail: 'event',
        })
      if (ready.length === 0) continue
      const events = ready
      ready = []
      yield* events
    }
  } catch (fault) {
    throw fault instanceof Error && 'problem' in fault ? fault : transportProblem(fault, host)
  } finally {
    body.destroy()
  }
}
