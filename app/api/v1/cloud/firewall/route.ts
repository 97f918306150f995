import { z } from "zod";
import { readFirewall } from "@/lib/services/cloud/firewall";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readFirewall);
