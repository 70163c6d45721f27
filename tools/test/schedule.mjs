// Builds and runs in parallel: one build at a time, at low priority on all processors, and built suites on as many
// processors as there are.

/** Runs `suites`; resolves when all are done. `build(name)` and `run(suite, failedBuild)` do the work. */
export async function schedule(suites, { processors, build, run }) {
  const builds = buildQueue(build);
  const room = slots(processors);
  await Promise.all(
    suites.map(async (suite) => {
      // Queues all builds of a suite before those of the next.
      const built = await Promise.allSettled(suite.builds.map(builds));
      const { reason } = built.find(({ status }) => status === 'rejected') ?? {};
      if (reason) return run(suite, reason);
      const taken = Math.min(suite.processors, processors);
      await room.take(taken);
      try {
        return await run(suite);
      } finally {
        room.give(taken);
      }
    }),
  );
}

/** Builds each name once, one after the other. A failed build does not stop the next. */
function buildQueue(build) {
  const known = new Map();
  let last = Promise.resolve();
  return (name) => {
    if (!known.has(name)) {
      const result = last.then(() => build(name));
      known.set(name, result);
      last = result.catch(() => {});
    }
    return known.get(name);
  };
}

/** First come, first served, but what needs fewer of them may pass what waits for more. */
function slots(count) {
  let free = count;
  let waiting = [];
  const serve = () => {
    for (const next of waiting) {
      if (next.wanted > free) continue;
      free -= next.wanted;
      waiting = waiting.filter((other) => other !== next);
      next.start();
    }
  };
  return {
    take: (wanted) =>
      new Promise((start) => {
        waiting.push({ wanted, start });
        serve();
      }),
    give: (returned) => {
      free += returned;
      serve();
    },
  };
}
