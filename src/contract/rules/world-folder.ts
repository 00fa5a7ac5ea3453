/** Whether `level-name` stays inside the server's folder on every system; the game would write anywhere. */
export const isWorldFolder = (path: string): boolean =>
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  !/^[/\\]|[:\x00-\x1f]/.test(path) && !path.split(/[/\\]/).includes('..') && /[^./\\]/.test(path)
