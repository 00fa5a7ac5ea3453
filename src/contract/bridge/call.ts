import { z } from 'zod'

/** One call of the bridge: what it takes is parsed on arrival, what it answers is a type. */
export interface Call<In extends z.ZodType = z.ZodType, Out = unknown> {
  input: In
  /** The schema of this one input, where `input` is one of many; made on first use. What it parses, `input` parses alike. */
  inputFor?: (input: unknown) => z.ZodType
  /** Type only; never set. */
  output?: Out
}

export const call = <Out>() => ({
  of: <In extends z.ZodType>(input: In): Call<In, Out> => ({ input }),
  /** A generic call, whose inputs are made from the declarations. */
  among: <In extends z.ZodType>(inputs: Call<In>): Call<In, Out> => ({ ...inputs }) as Call<In, Out>,
})

export const Id = z.string().min(1).max(200)
/** Free text of a person; main turns it into an address or says what is wrong with it. */
export const BaseUrl = z.string().max(2000)
export const Secret = z.string().min(1).max(8000)

/** Which connection a call is about. */
export const connection = z.object({ connectionId: Id })
/** Which server. */
export const server = connection.extend({ serverId: Id })
