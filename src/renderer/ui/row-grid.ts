/** A column of a grid of rows, by its head. */
export interface GridColumn<K extends string> {
  key: K
  label: string
  /** Whether a press on it sorts. */
  sorts: boolean
  class?: string
  /** The mark stands before the name, as for numbers that stand at the right. */
  turned?: boolean
}

/** A row of a grid as its snippet is given it. `top` in pixels. */
export interface DrawnRow<T> {
  row: T
  /** Of the element, which the grid names as the active one. */
  id: string
  index: number
  top: number
  selected: boolean
  /** The keys begin from here. */
  cursor: boolean
}
