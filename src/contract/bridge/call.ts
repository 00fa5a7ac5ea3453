import { z } from 'zod'

/** One call of the bridge. Only inputs are validated. */
export interface Call<In extends z.ZodType = z.ZodType, Out = unknown> {
  input: In
  /** The schema for this particular input if `input` is generic, created on first use. Parses the same as `input`. */
  inputFor?: (input: unknown) => z.ZodType
  /** Type only; never set. */
  output?: Out
}

export const call = <Out>() => ({
  of: <In extends z.ZodType>(input: In): Call<In, Out> => ({ input }),
  /** A generic call whose inputs come from the declarations. */
  among: <In extends z.ZodType>(inputs: Call<In>): Call<In, Out> => ({ ...inputs }) as Call<In, Out>,
})

export const Id = z.string().min(1).max(200)
export const BaseUrl = z.string().max(2000)
export const Secret = z.string().min(1).max(8000)

export const connection = z.object({ connectionId: Id })
export const server = connection.extend({ serverId: Id })
