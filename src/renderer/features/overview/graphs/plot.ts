import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { SPAN, type Columns, type Event } from './samples.svelte.ts'
import { atTextSize } from '../../../ui/base/text-size.ts'

/** Colours as a canvas takes them. */
export interface PlotColours {
  line: string
  grid: string
  text: string
  start: string
  stop: string
  crash: string
}

export interface PlotOptions {
  height: number
  colours: PlotColours
  /** A value on the axis, in words. */
  axis: (value: number) => string
  clock: (at: number) => string
  /** The least that the axis reaches up to. */
  atLeast: number
  /** Steps the axis may have. */
  steps: number[]
  events: () => readonly Event[]
  /** Which reading is pointed at; null for none. */
  pointed: (index: number | null) => void
}

/** A graph in the page. */
export interface Plot {
  draw(data: Columns): void
  resize(width: number): void
  close(): void
}

const FONT = "'Inter Variable', system-ui, sans-serif"
/** Pixels, at the usual size of text, that the widest time on the axis takes, “12:30 PM”. */
const TIME_WIDTH = 52
/** Pixels, at the usual size of text, that the widest value on the axis takes, “512 MB”, and the gap beside it. */
const VALUE_WIDTH = 46
/** Seconds the time axis covers at least. */
const LEAST_SPAN = 300
/** All graphs of a page show the same moment under the pointer. */
const together = 'overview'

/** Draws a measure over the time it was read, an hour at most, with the server's starts, stops and crashes. */
export function plot(parent: HTMLElement, data: Columns, options: PlotOptions): Plot {
  const { colours } = options
  const font = `${atTextSize(11)}px ${FONT}`
  const valueWidth = atTextSize(VALUE_WIDTH)
  const chart = new uPlot(
    {
      width: Math.max(parent.clientWidth, 100),
      height: options.height,
      // The graph ends where what stands above it ends; a line on its edge is still whole.
      padding: [10, 1, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        drag: { x: false, y: false },
        points: { size: 7 },
        sync: { key: together, setSeries: false },
      },
      scales: {
        x: { time: true, range: (shown) => span(shown.data[0][0]) },
        y: { range: (_chart, _low, high) => [0, Math.max(options.atLeast, (high ?? 0) * 1.1)] },
      },
      axes: [
        {
          stroke: colours.text,
          font,
          size: atTextSize(24),
          gap: 4,
          space: atTextSize(56),
          // The clock has no seconds: a shorter step would write the same minute twice.
          incrs: [1, 2, 5, 10, 15, 20, 30, 60].map((minutes) => minutes * 60),
          grid: { show: false },
          ticks: { show: false },
          // A time stands in the middle below its moment: one that would reach beyond the edge is left out.
          values: ({ width, scales: { x } }, splits) => {
            const [from = 0, to = 0] = [x?.min ?? 0, x?.max ?? 0]
            const last = to - ((to - from) * atTextSize(TIME_WIDTH)) / 2 / (width - valueWidth)
            return splits.map((split) => (split <= last ? options.clock(split * 1000) : null))
          },
        },
        {
          stroke: colours.text,
          font,
          size: valueWidth,
          gap: 6,
          space: atTextSize(28),
          incrs: options.steps,
          grid: { stroke: colours.grid, width: 1 },
          ticks: { show: false },
          values: (_chart, splits) => splits.map(options.axis),
        },
      ],
      series: [
        {},
        {
          stroke: colours.line,
          fill: translucent(colours.line, 0.12),
          width: 1.5,
          points: { show: false },
          spanGaps: false,
        },
      ],
      hooks: {
        draw: [(drawn) => drawEvents(drawn, options.events(), colours)],
        setCursor: [(drawn) => options.pointed(drawn.cursor.idx ?? null)],
      },
    },
    data,
    parent,
  )
  return {
    draw: (next) => chart.setData(next),
    resize: (width) => chart.setSize({ width: Math.max(width, 100), height: options.height }),
    close: () => chart.destroy(),
  }
}

/** From the first reading until now: an hour at most, and never so little that a minute looks like a day. */
function span(first: number | undefined): [number, number] {
  const now = Date.now() / 1000
  return [Math.max(now - SPAN / 1000, Math.min(first ?? now, now - LEAST_SPAN)), now]
}

/** A line for each event, and a mark whose shape says which it was. */
function drawEvents(chart: uPlot, events: readonly Event[], colours: PlotColours): void {
  const { ctx, bbox } = chart
  const scale = devicePixelRatio
  const radius = 4 * scale
  ctx.save()
  for (const event of events) {
    const x = Math.round(chart.valToPos(event.at / 1000, 'x', true))
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    const colour = colours[event.kind]
    ctx.strokeStyle = colour
    ctx.fillStyle = colour
    ctx.lineWidth = scale
    ctx.setLineDash([3 * scale, 3 * scale])
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    ctx.setLineDash([])
    drawMark(ctx, event.kind, x, Math.max(radius, bbox.top - radius + scale), radius)
  }
  ctx.restore()
}

function drawMark(
  ctx: CanvasRenderingContext2D,
  kind: Event['kind'],
  x: number,
  y: number,
  radius: number,
): void {
  ctx.beginPath()
  switch (kind) {
    case 'start':
      ctx.moveTo(x - radius, y - radius)
      ctx.lineTo(x + radius, y)
      ctx.lineTo(x - radius, y + radius)
      ctx.closePath()
      ctx.fill()
      return
    case 'stop':
      ctx.rect(x - radius * 0.85, y - radius * 0.85, radius * 1.7, radius * 1.7)
      ctx.fill()
      return
    case 'crash':
      ctx.lineWidth = radius / 2
      ctx.moveTo(x - radius * 0.8, y - radius * 0.8)
      ctx.lineTo(x + radius * 0.8, y + radius * 0.8)
      ctx.moveTo(x + radius * 0.8, y - radius * 0.8)
      ctx.lineTo(x - radius * 0.8, y + radius * 0.8)
      ctx.stroke()
  }
}

/** A colour with less of it: `oklch(0.5 0.1 250)` → `oklch(0.5 0.1 250 / 0.12)`. */
function translucent(colour: string, alpha: number): string {
  return colour.includes(',')
    ? colour.replace('rgb(', 'rgba(').replace(')', `, ${alpha})`)
    : colour.replace(')', ` / ${alpha})`)
}
