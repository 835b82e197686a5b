import { describe, expect, it } from 'vitest'
import { testHttp } from '../testing/test-http'

describe('metrics', () => {
  it('asks for the token where one is set', async () => {
    const http = await testHttp({ env: { METRICS_TOKEN: 'a-metrics-token' } })
    const withToken = (token: string) => http.call('/metrics', { headers: { authorization: `Bearer ${token}` } })
    expect((await http.call('/metrics')).status).toBe(401)
    expect((await withToken('another-token!!')).status).toBe(401)
    expect((await withToken('a-metrics-token')).status).toBe(200)
  })

  it('answers this machine only where none is set, and no proxy on it', async () => {
    const http = await testHttp()
    expect((await http.call('/metrics')).status).toBe(200)
    expect((await http.call('/metrics', { headers: { 'x-forwarded-for': '203.0.113.1' } })).status).toBe(403)
  })

  it('tells those alone that are asked for by name', async () => {
    const http = await testHttp()
    const told = async (query: string): Promise<string[]> => {
      const text = await (await http.call(`/metrics?${query}`)).text()
      return [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name)
    }
    const [lost, errors] = ['log_lines_lost_total', 'log_write_errors_total']
    expect(await told(`name[]=${lost}`)).toEqual([lost])
    expect(await told(`name[]=${errors}&name[]=no_such&name[]=${lost}`)).toEqual([errors, lost])
    expect(await told('name[]=no_such')).toEqual([])
    expect(await (await http.call(`/metrics?name[]=${lost}`)).text()).toContain(`\n${lost} 0\n`)
  })

  it('tells of the process once in each of its apps, beside what is their own', async () => {
    const [one, other] = [await testHttp(), await testHttp()]
    await one.call('/api/nothing')
    const countOf = async ({ call }: typeof one, name: string): Promise<number> =>
      (await (await call('/metrics')).text()).split(`\n# TYPE ${name} `).length - 1
    for (const http of [one, other])
      for (const name of ['nodejs_eventloop_lag_seconds', 'nodejs_gc_duration_seconds', 'http_requests_shed_total'])
        expect(await countOf(http, name), name).toBe(1)
    const requests = 'http_request_duration_seconds_count'
    expect(await (await one.call('/metrics')).text()).toContain(`${requests}{method="GET",route="none"`)
    expect(await (await other.call('/metrics')).text()).not.toContain(`${requests}{method="GET",route="none"`)
  })

  it('counts requests by route template, never by address', async () => {
    const http = await testHttp()
    await (await http.call('/api/docs/json?token=hidden-query')).text()
    await http.call('/api/nothing/hidden-path')
    const text = await (await http.call('/metrics')).text()
    expect(text).toContain('process_cpu_seconds_total')
    expect(text).toMatch(/http_request_duration_seconds_count\{method="GET",route="none",status="404"\} 1/)
    expect(text).not.toContain('hidden')
  })
})
