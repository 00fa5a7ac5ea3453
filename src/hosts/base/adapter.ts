import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { AnyOperation } from '../../contract/areas/index.ts'
import type { HostMachine, MachineList } from '../../contract/bridge/machine-calls.ts'
import type { BodyOf, ParamsOf, QueryOf } from '../../contract/declarations/operation.ts'
import type { events, EventName } from '../../contract/areas/console.ts'
import {
  type RefusalArguments,
  type RefusalId,
  refusalText,
  type RefusalText,
} from '../../contract/messages/refusals/index.ts'
import type { Caller } from './body.ts'

/** What the panel asks of a host, parsed as the contract declares it. */
export interface HostCall<Op> {
  params: ParamsOf<Op>
  query: QueryOf<Op>
  body: BodyOf<Op>
  /** The key or password of the account, from the keychain. */
  key: string
  /** What is sent as bytes; empty for JSON. */
  bytes: Readable
  /** A header of the request, by its lower-case name. */
  header(name: string): string | null
  /** Sets a header of the answer, such as `etag`. */
  set(name: string, value: string): void
  signal: AbortSignal
}

export type HostEvent = { [N in EventName]: { event: N; data: z.input<(typeof events)[N]> } }[EventName]

/** Bytes of a file; `status` 206 with `range` for a part. */
export interface HostBytes {
  stream: Readable
  size: number | null
  /** `bytes from-to/whole`. */
  range?: string
}

type HostAnswer<Op> = Op extends { answer: infer A }
  ? A extends { kind: 'json'; schema: infer S extends z.ZodType }
    ? z.input<S>
    : A extends { kind: 'list'; item: infer I extends z.ZodType }
      ? { items: z.input<I>[]; nextCursor: string | null; unreadable?: string[] }
      : A extends { kind: 'events' }
        ? AsyncIterable<HostEvent>
        : A extends { kind: 'bytes' }
          ? HostBytes
          : void
  : never

export type HostHandler<Op> = (call: HostCall<Op>) => Promise<HostAnswer<Op>> | HostAnswer<Op>

/** What a host can do. An operation that isn't here isn't offered. Handlers throw a `HostRefusal` to refuse. */
export type HostOperations = {
  readonly [Id in AnyOperation['id']]?: HostHandler<Extract<AnyOperation, { id: Id }>>
}

export interface HostAdapter {
  operations: HostOperations
  /** None: they aren't entered over SSH. */
  machines?: HostMachines | null
  /** Ends what outlives single calls, such as sockets. */
  close(): void
}

/** The machines of a host that are entered over SSH, as the bridge has them. */
export interface HostMachines {
  list(meets: boolean, caller: Caller): Promise<MachineList>
  forget?(machine: string): Promise<void>
  enter?(password: string, machines: readonly HostMachine[], caller: Caller): Promise<void>
  forgetPassword?(): Promise<void>
}

/** What an adapter keeps beside the key of its connection, in the keychain. It goes with a sign-out. */
export interface HostSecrets {
  /** Rejects while the keychain is silent. */
  read(name: HostSecretName): Promise<string | null>
  /** Null forgets it. False, and nothing is kept, where there is no keychain. */
  write(name: HostSecretName, value: string | null): Promise<boolean>
}
/** `host-keys` are forgotten by a new sign-in. */
export type HostSecretName = 'ssh-key' | 'host-keys' | 'machine-password'

/** Lines that the panel has of a server's console from earlier runs. */
export interface ConsoleMemory {
  /** Null if there are none. */
  newest(serverId: string): Promise<{ lastId: string; texts: string[] } | null>
}

/** A refusal in the form of the contract: status, code, sentence. */
export class HostRefusal extends Error {
  override name = 'HostRefusal'
  readonly status: number
  readonly told: RefusalText | null
  readonly fields: Record<string, string[]> | undefined
  readonly retryAfter: string | undefined

  constructor(
    status: number,
    told: RefusalText | string,
    more: { fields?: Record<string, string[]>; retryAfter?: string | undefined } = {},
  ) {
    super(typeof told === 'string' ? told : told.message)
    this.status = status
    this.told = typeof told === 'string' ? null : told
    this.fields = more.fields
    this.retryAfter = more.retryAfter
  }
}

export const hostRefusal = <I extends RefusalId>(
  status: number,
  sentence: I,
  ...values: RefusalArguments<I>
): HostRefusal => new HostRefusal(status, refusalText(sentence, ...values))
