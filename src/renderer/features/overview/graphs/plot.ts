import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { atTextSize } from '../../../core/computed-style.ts'
import { merged, SPANS, type Columns, type Event } from './readings.ts'
import type { StatsRange } from '../../../../contract/areas/stats-history.ts'

export interface PlotColors {
  line: string
  text: string
  start: string
  stop: string
  crash: string
}

export interface PlotOptions {
  height: number
  colors: PlotColors
  range: StatsRange
  /** A label of the time axis. */
  tick: (at: number) => string
  atLeast: number
  events: () => readonly Event[]
  pointed: (index: number | null) => void
}

export interface Plot {
  draw(data: Columns): void
  resize(width: number, height: number): void
  close(): void
}

const FONT = "'Inter Variable', system-ui, sans-serif"
/** Width of “12:30 PM” and “Wed” in px at normal text size. */
const LABEL_WIDTHS: Readonly<Record<StatsRange, number>> = { hour: 52, day: 52, week: 28 }
/** Least distance of two marks in px at normal text size. */
const MARK_WIDTH = 12
/** Minimum span of the time axis in seconds. */
const LEAST_SPAN = 300
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Between labels of the time axis, in seconds. */
const STEPS: Readonly<Record<StatsRange, readonly number[]>> = {
  hour: [1, 2, 5, 10, 15, 20, 30, 60].map((minutes) => minutes * MINUTE),
  day: [1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR),
  week: [DAY, 2 * DAY, 3 * DAY, 7 * DAY],
}
/** Cursor sync key: all graphs show the same moment. */
const together = 'overview'

export function plot(parent: HTMLElement, data: Columns, options: PlotOptions): Plot {
  const { colors } = options
  const font = `${atTextSize(11)}px ${FONT}`
  const chart = new uPlot(
    {
      width: Math.max(parent.clientWidth, 100),
      height: options.height,
      // Aligned with the heading; one pixel so that lines at the edge stay whole.
      padding: [10, 1, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        drag: { x: false, y: false },
        points: { size: 7 },
        sync: { key: together, setSeries: false },
      },
      scales: {
        x: { time: true, range: (shown) => span(options.range, shown.data[0][0]) },
        y: { range: (_chart, _low, high) => [0, Math.max(options.atLeast, (high ?? 0) * 1.1)] },
      },
      axes: [
        {
          stroke: colors.text,
          font,
          size: atTextSize(24),
          gap: 4,
          space: atTextSize(LABEL_WIDTHS[options.range] + 12),
          // Smaller steps would repeat a label.
          incrs: [...STEPS[options.range]],
          grid: { show: false },
          ticks: { show: false },
          // Labels are centered; drop those that would be cut at an edge.
          values: ({ width, scales: { x } }, splits) => {
            const [from = 0, to = 0] = [x?.min ?? 0, x?.max ?? 0]
            const half = ((to - from) * atTextSize(LABEL_WIDTHS[options.range])) / 2 / width
            return splits.map((split) =>
              split >= from + half && split <= to - half ? options.tick(split * 1000) : null,
            )
          },
        },
        { show: false },
      ],
      series: [
        {},
        {
          stroke: colors.line,
          fill: translucent(colors.line, 0.12),
          width: 1.5,
          points: { show: false },
          spanGaps: false,
        },
      ],
      hooks: {
        draw: [(drawn) => drawEvents(drawn, options.events(), colors)],
        setCursor: [(drawn) => options.pointed(drawn.cursor.idx ?? null)],
      },
    },
    data,
    parent,
  )
  return {
    draw: (next) => chart.setData(next),
    resize: (width, height) => chart.setSize({ width: Math.max(width, 100), height }),
    close: () => chart.destroy(),
  }
}

/** Until now. An hour begins with its first reading, and lasts `LEAST_SPAN` at least. */
function span(range: StatsRange, first: number | undefined): [number, number] {
  const now = Date.now() / 1000
  const from = now - SPANS[range] / 1000
  return [range === 'hour' ? Math.max(from, Math.min(first ?? now, now - LEAST_SPAN)) : from, now]
}

function drawEvents(chart: uPlot, events: readonly Event[], colors: PlotColors): void {
  const { ctx, bbox } = chart
  const scale = devicePixelRatio
  const radius = 4 * scale
  ctx.save()
  const { min = 0, max = 0 } = chart.scales['x'] ?? {}
  const apart = (((max ?? 0) - (min ?? 0)) * 1000 * atTextSize(MARK_WIDTH) * scale) / bbox.width
  for (const event of merged(events, apart)) {
    const x = Math.round(chart.valToPos(event.at / 1000, 'x', true))
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    const color = colors[event.kind]
    ctx.strokeStyle = color
    ctx.fillStyle = color
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

/** `oklch(0.5 0.1 250)` → `oklch(0.5 0.1 250 / 0.12)`. */
function translucent(color: string, alpha: number): string {
  return color.includes(',')
    ? color.replace('rgb(', 'rgba(').replace(')', `, ${alpha})`)
    : color.replace(')', ` / ${alpha})`)
}
