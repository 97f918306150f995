import { Lock } from "lucide-react";
import type { Metadata, Route } from "next";
import { LaunchPanel } from "@/components/launch/launch-panel";
import { PanelFrame } from "@/components/page/panel-frame";
import { ButtonLink } from "@/components/ui/button";
import { Deck, Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";
import { type Ctx, can } from "@/lib/domain/access";
import { LaunchQuestion } from "@/lib/domain/intents/launch";
import type { LaunchTemplate } from "@/lib/domain/intents/templates";
import { AppError } from "@/lib/errors";
import { launchOffersQuery, launchTemplatesQuery } from "@/lib/queries/launch";
import { readLaunchAgain, readLaunchLike } from "@/lib/services/intents/like";
import { readLaunchOffers } from "@/lib/services/intents/offers";
import { launchTemplates, readLaunchTemplates } from "@/lib/services/intents/templates";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { changeTemplate, createTemplate, launch, removeTemplate } from "./actions";

export const metadata: Metadata = { title: "Launch" };

export default async function LaunchPage({ searchParams }: PageProps<"/launch">) {
  const ctx = await pageCtx();
  if (!can(ctx.actor, "intent:launch")) {
    return (
      <Deck>
        <Panel span={12}>
          <Empty
            icon={Lock}
            title="Your role does not launch instances"
            text="Operators and admins do. You see what runs, what it costs and what it does."
            action={<ButtonLink href={"/fleet" as Route}>To the fleet</ButtonLink>}
          />
        </Panel>
      </Deck>
    );
  }
  const asked = LaunchQuestion.parse(await searchParams);
  const { given, origin } = await givenBy(ctx, asked);
  return (
    <Hydrate
      reads={[
        prefetch(launchOffersQuery(), () => readLaunchOffers(ctx)),
        prefetch(launchTemplatesQuery(), () => readLaunchTemplates(ctx)),
      ]}
    >
      <PanelFrame label="What can be launched" rows={12}>
        <LaunchPanel
          // Another line or another origin is another form.
          key={JSON.stringify(asked)}
          launch={launch}
          templates={{ create: createTemplate, change: changeTemplate, remove: removeTemplate }}
          given={given}
          origin={origin}
          line={asked.line}
        />
      </PanelFrame>
    </Hydrate>
  );
}

/** What the form begins with: a machine, an earlier launch or a template; what is gone meanwhile is no reason to show nothing. */
async function givenBy(
  ctx: Ctx,
  { like, again, template, type, region }: LaunchQuestion,
): Promise<{ given: Partial<LaunchTemplate>; origin: string | null }> {
  try {
    if (like) return { given: await readLaunchLike(ctx, { instanceId: like }), origin: "another machine" };
    if (again) return { given: await readLaunchAgain(ctx, { intentId: again }), origin: "an earlier launch" };
    if (template) {
      const { name, body } = await launchTemplates.find(ctx, { id: template });
      return { given: body, origin: `the template ${name}` };
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  return { given: { ...(type && { typeName: type }), ...(region && { region }) }, origin: null };
}
