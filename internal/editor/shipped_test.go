package editor

import (
	"os"
	"strings"
	"testing"
)

// The list that ships tells what it is there to tell, and leaves alone what a calm text
// says. Each sentence stands after the rule that it is told by; "" is none.
func TestShippedStyle(t *testing.T) {
	data, err := os.ReadFile("../../content/style.yaml")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string][]string{
		"blame": {
			"You let it happen.", "Your partner is toxic.", "Codependency keeps you there.", "You attract such people.",
			"You allowed them to do it.", "You chose to stay.",
		},
		"diagnosis": {"Your ex is a narcissist.", "A sociopath does that.", "They will never change.", "Your abuser knows this.", "It is a personality disorder."},
		"hype": {
			"It is a proven way.", "It can rewire you.", "A life-changing step.", "Heal faster than you think.", "It unlocks what you are.",
			"Like a drug, they say.", "Guaranteed to help.",
		},
		"urgency": {"Act now.", "Don’t wait any longer.", "Only 2 spots left.", "Book today.", "It is your last chance.", "Hurry."},
		"should":  {"You should leave.", "You must tell someone.", "You need to block them.", "You’d better go."},
		"claim": {
			"Studies show that it fades.", "Research says so.", "Half, or 50%, go back.", "Women are three times more often hurt.", "In 75 women it fell.",
			"It is how the brain works.", "It was linked to harm.", "1 in 4 is hurt.",
		},
		"": {
			"They say: “You should leave, they are toxic.”", "‘A narcissist’, said a friend.", "There is no hurry.", "They left in a hurry.",
			"You need not call.", "You must have been tired.", "You don’t have to decide.", "If you need to be in touch, you can.", "It is no cure.",
			"If you let them know, tell a friend first.", "You made them laugh in the car.", "If you are in danger now, call the emergency number.",
			"Two people can see it in two ways.", "You are not to blame.", "It was not your fault.", "A person can kill time.",
			"You may have to do two things at once.", "They should not have done it.", "It was kept secret to protect you.",
		},
	}
	for rule, sentences := range tests {
		for _, sentence := range sentences {
			files := article(sentence + " So it is.\n\nAnd on.")
			files["style.yaml"] = string(data)
			got, _ := check(t, files)
			told := len(got) == 1 && strings.HasPrefix(got[0], "articles/a.md:9: warning: "+rule+": ")
			if rule == "" && len(got) > 0 || rule != "" && !told {
				t.Errorf("%s: %q is told with %v", rule, sentence, got)
			}
		}
	}
}
