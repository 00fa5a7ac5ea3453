// @ts-check
// How large a file and a function may be, as a rule of the linter.

/** Most lines of a file and of a function. */
const FILE_MOST = 350
const FUNCTION_MOST = 80

/** Whether a function is the body of a `describe`: a list of tests is long by itself. @param {any} node */
function isListOfTests({ parent }) {
  if (parent?.type !== 'CallExpression') return false
  let { callee } = parent
  // describe.each(…)(…), describe.skip(…), and test.describe(…) of the journeys
  while (callee.type !== 'Identifier') {
    if (callee.type === 'MemberExpression')
      callee = callee.property.name === 'describe' ? callee.property : callee.object
    else if (callee.type === 'CallExpression') callee = callee.callee
    else if (callee.type === 'TaggedTemplateExpression') callee = callee.tag
    else return false
  }
  return callee.name === 'describe'
}

/** @type {import('eslint').Rule.RuleModule} */
const rule = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    /** @param {any} node */
    const check = (node) => {
      if (isListOfTests(node)) return
      const lines = node.loc.end.line - node.loc.start.line + 1
      if (lines <= FUNCTION_MOST) return
      const message = `This function has ${lines} lines, and may have ${FUNCTION_MOST}. It is several.`
      context.report({ loc: node.loc.start, message })
    }
    return {
      FunctionDeclaration: check,
      FunctionExpression: check,
      ArrowFunctionExpression: check,
      Program() {
        // Without the empty one behind the last line's end.
        const lines = context.sourceCode.lines.length - (context.sourceCode.text.endsWith('\n') ? 1 : 0)
        if (lines <= FILE_MOST) return
        const message = `This file has ${lines} lines, and may have ${FILE_MOST}. It is several.`
        context.report({ loc: { line: 1, column: 0 }, message })
      },
    }
  },
}

/** @type {import('eslint').Linter.Config} */
export const sizesConfig = {
  files: ['src/**/*.{ts,svelte}', 'tests/**/*.ts', 'build/**/*.{ts,js}'],
  plugins: { sizes: { rules: { bounds: rule } } },
  rules: { 'sizes/bounds': 'error' },
}
