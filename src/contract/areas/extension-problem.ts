import { z } from 'zod'
import { openEnum } from './operation.ts'

/** Why an extension would not run as it should. `name` is what is missing or clashes; `wants` which version of it. */
export const ExtensionProblem = z.object({
  kind: openEnum([
    'missing-dependency',
    'clash',
    'wrong-software',
    'wrong-version',
    'wrong-side',
    'wrong-java',
    'duplicate',
    'unreadable',
    /** It is a jar, and nothing in it says that it is an extension. */
    'not-described',
  ]),
  name: z.string().nullish(),
  wants: z.string().nullish(),
})
export type ExtensionProblem = z.output<typeof ExtensionProblem>
