import { writeSync } from 'node:fs'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Report } from '../storage/report.ts'
import { progressLine } from './progress-line.ts'

/** Worker data of the progress painter; times in milliseconds since the epoch. */
export interface Canvas {
  readonly fd: number
  readonly columns: number
  readonly began: number
  readonly patience: number
}

const patienceMilliseconds = 2_000
const pauseMilliseconds = 100
const wipe = '\r\x1b[K'

/** A terminal that shows progress by overwriting one line. */
interface Screen {
  readonly fd: number
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Runs work, and shows its progress on a terminal after two seconds. */
export async function withProgress<T>(
  work: (report: Report) => Promise<T>,
  screen: Screen = process.stderr,
): Promise<T> {
  if (screen.isTTY !== true) return work(() => {})
  const display = new Display(screen)
  try {
    return await work(display.report)
  } finally {
    await display.end()
  }
}

const lineMilliseconds = 10_000

/**
 * Runs work that takes minutes. Without a terminal it writes a line at the start and end of each step, and every ten
 * seconds.
 */
export async function withProgressAlsoOnPipes<T>(
  work: (report: Report) => Promise<T>,
  screen: Screen & { write(text: string): unknown } = process.stderr,
): Promise<T> {
  if (screen.isTTY === true) return withProgress(work, screen)
  const began = now()
  let lastReport = { what: '', done: 0, at: 0 }
  return work((what, done, total) => {
    const isNews = what !== lastReport.what || (done === total && done !== lastReport.done)
    if (!isNews && now() - lastReport.at < lineMilliseconds) return
    lastReport = { what, done, at: now() }
    screen.write(`${progressLine({ what, done, total }, (now() - began) / 1000)}\n`)
  })
}

/** Passes progress to the painter, which starts with the first report. */
class Display {
  readonly #screen: Screen
  readonly #began = now()
  #painter: Worker | undefined
  #told = { what: '', at: 0 }

  constructor(screen: Screen) {
    this.#screen = screen
  }

  readonly report: Report = (what, done, total) => {
    if (what === this.#told.what && now() - this.#told.at < pauseMilliseconds) return
    this.#told = { what, at: now() }
    this.#painter ??= this.#start()
    this.#painter.postMessage({ what, done, total })
  }

  #start(): Worker {
    const { fd, columns } = this.#screen
    const canvas: Canvas = { fd, columns: columns || 80, began: this.#began, patience: patienceMilliseconds }
    const painter = new Worker(new URL(`./progress-painter${extname(import.meta.url)}`, import.meta.url), {
      workerData: canvas,
    })
    painter.unref()
    return painter
  }

  async end(): Promise<void> {
    await this.#painter?.terminate()
    if (this.#painter !== undefined && now() - this.#began >= patienceMilliseconds) writeSync(this.#screen.fd, wipe)
  }
}

const now = (): number => performance.timeOrigin + performance.now()
