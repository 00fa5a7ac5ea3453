import { registerHooks } from 'node:module'
import { parse } from 'yaml'

// The package loads its schema as JSON without saying so, which Node wants said.
registerHooks({
  load: (url, context, next) =>
    next(
      url,
      /@actions\/workflow-parser.+\.json$/.test(url)
        ? { ...context, importAttributes: { type: 'json' } }
        : context,
    ),
})
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } =
  await import('@actions/workflow-parser')

/** What is wrong with a workflow by GitHub's own rules for keys and expressions, and where it refers to what it does not have. */
export async function faultsOf(name: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter())
  // Only now are expressions looked at.
  if (value) await convertWorkflowTemplate(context, value)
  const faults = context.errors.getErrors().map(({ message }) => message)
  const { jobs } = parse(content) as { jobs: Record<string, Job> }
  for (const [job, its] of Object.entries(jobs)) {
    const text = JSON.stringify(its)
    const there = {
      matrix: Object.keys(its.strategy?.matrix ?? {}),
      needs: [its.needs ?? []].flat(),
      steps: its.steps.flatMap(({ id }) => id ?? []),
    }
    for (const [kind, names] of Object.entries(there))
      for (const [, wanted = ''] of text.matchAll(new RegExp(`\\b${kind}\\.([\\w-]+)`, 'g')))
        if (!names.includes(wanted)) faults.push(`${name}: ${job} has no ${kind}.${wanted}`)
  }
  return faults
}

interface Job {
  needs?: string | string[]
  strategy?: { matrix?: object }
  steps: { id?: string }[]
}
