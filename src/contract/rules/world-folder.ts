/** Whether the value of `level-name` names a folder within the server's own, on every system: the game writes its world wherever it leads. */
export const isWorldFolder = (path: string): boolean =>
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  !/^[/\\]|[:\x00-\x1f]/.test(path) && !path.split(/[/\\]/).includes('..') && /[^./\\]/.test(path)
