import { BacktestQuestion } from "@/lib/domain/alerts/backtest";
import { backtestRule } from "@/lib/services/alerts/backtest";
import { post } from "@/lib/web/route";

export const POST = post(BacktestQuestion, backtestRule);
