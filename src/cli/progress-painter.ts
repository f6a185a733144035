import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { Canvas } from './progress.ts'
import { progressLine, type WorkProgress } from './progress-line.ts'

const wipe = '\r\x1b[K'

const pauseMilliseconds = 200

/** Runs in a worker thread, so that the line moves on while a long query blocks the main thread. */
function paint({ fd, columns, began, patience }: Canvas): void {
  let latest: WorkProgress | undefined
  let first = { what: '', done: 0, at: 0 }
  parentPort?.on('message', (progress: WorkProgress) => {
    latest = progress
    if (progress.what !== first.what) first = { ...progress, at: performance.now() }
  })
  setInterval(() => {
    const elapsed = performance.timeOrigin + performance.now() - began
    if (latest === undefined || elapsed < patience) return
    const pace = { done: latest.done - first.done, seconds: (performance.now() - first.at) / 1000 }
    writeSync(fd, wipe + progressLine(latest, elapsed / 1000, pace).slice(0, columns - 1))
  }, pauseMilliseconds)
}

paint(workerData)
