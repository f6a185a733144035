import { rmSync } from 'node:fs'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Takes an unfinished file away when the process is told to end, and then ends as it was told. */
export async function withdrawnIfInterrupted<T>(partial: string, work: () => Promise<T>): Promise<T> {
  const withdraw = (signal: NodeJS.Signals) => {
    rmSync(partial, { force: true })
    letGo()
    process.kill(process.pid, signal)
  }
  const letGo = () => {
    for (const signal of signals) process.off(signal, withdraw)
  }
  for (const signal of signals) process.on(signal, withdraw)
  return work().finally(letGo)
}
